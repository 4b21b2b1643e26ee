import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPlatform

/// Reloads the configuration on request, passes it to the broadcaster and reopens the events file, on a thread
/// of its own: files may block, and signals must not wait.
final class ConfigurationReload: Sendable {
  typealias Outcome = Result<String, Refusal>

  struct Parts: Sendable {
    /// The initial configuration.
    let first: ProgramSettings
    /// Nil without a configuration file.
    let read: (@Sendable () throws(Refusal) -> ProgramSettings)?
    let events: EventFile?
    let broadcaster: Broadcaster
    let service: ServiceLink
    let observe: @Sendable (Broadcast.Observation) -> Void
  }

  private struct Requests: Sendable {
    var includesConfiguration = false
    var answers: [Promise<Outcome>] = []
  }

  private let requests: Locked<Requests>
  private let isRequested: Wakeup
  private let thread: StoppableThread

  init(_ parts: Parts) throws(SystemError) {
    let (requests, isRequested) = (Locked(Requests()), try Wakeup())
    (self.requests, self.isRequested) = (requests, isRequested)
    thread = try StoppableThread(name: "configuration") { isOver in
      var settings = parts.first
      while let outcome = try? isOver.poll([isRequested.descriptor], until: nil), outcome != .signalled {
        isRequested.clear()
        let request = requests.withLock { requests in
          defer { requests = Requests() }
          return requests
        }
        let result = request.includesConfiguration ? parts.reload(&settings) : parts.reopenEvents()
        for answer in request.answers { answer.fulfil(result) }
      }
    }
  }

  func request() {
    requests.withLock { $0.includesConfiguration = true }
    isRequested.signal()
  }

  func requestReopeningOfEvents() {
    isRequested.signal()
  }

  /// Reloads and waits for the result; nil after `deadline`.
  func perform(until deadline: MonotonicTime) -> Outcome? {
    let answer = Promise<Outcome>()
    requests.withLock { $0.answers.append(answer) }
    request()
    return answer.take(until: deadline)
  }

  func stop() {
    thread.stop()
  }
}

extension ConfigurationReload.Parts {
  fileprivate func reload(_ settings: inout ProgramSettings) -> ConfigurationReload.Outcome {
    service.beginReload(at: .now)
    let reopened = reopenEvents()
    var result = reopened
    if let read {
      do {
        // Commands may have changed it since.
        settings.broadcast = broadcaster.configuration
        let change = ConfigurationChange(
          from: settings, to: try read(), running: broadcaster.runningConfiguration)
        settings = change.accepted
        broadcaster.configure(settings.broadcast)
        observe(.note(change.description))
        result = reopened.map { _ in change.description }
      } catch {
        let refusal = Refusal(
          error.status, "configuration not reloaded, keeping the old one: \(error.subject)", error.what,
          error.hint)
        observe(.warning("\(refusal)"))
        result = .failure(refusal)
      }
    }
    switch result {
    case .success(let text): service.endReload(text)
    case .failure(let refusal): service.endReload("\(refusal)")
    }
    return result
  }

  fileprivate func reopenEvents() -> ConfigurationReload.Outcome {
    do throws(Refusal) {
      try events?.reopen()
      return .success(events?.isRotatable == true ? "events file reopened" : "nothing to reload")
    } catch {
      let refusal = Refusal(
        error.status, "events file not reopened, writing to the old one: \(error.subject)", error.what,
        error.hint)
      observe(.warning("\(refusal)"))
      return .failure(refusal)
    }
  }
}
