import HoldfastBroadcasting
import HoldfastCommands
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

/// Reloads the configuration, the token secret and the certificate on request, and reopens the events file, on a
/// thread of its own: files may block, and signals must not wait.
final class ConfigurationReload: Sendable {
  typealias Outcome = Result<String, Refusal>

  struct Parts: Sendable {
    /// The initial configuration.
    let first: ProgramSettings
    /// Nil without a configuration file.
    let read: (@Sendable () throws(Refusal) -> ProgramSettings)?
    let events: EventFile?
    let access: ControlAccess
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

  private static let timeout = MediaTime.seconds(5)

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
        let result = request.includesConfiguration ? parts.reload(&settings) : parts.reloadFiles()
        for answer in request.answers { answer.fulfil(result) }
      }
    }
  }

  func request() {
    requests.withLock { $0.includesConfiguration = true }
    isRequested.signal()
  }

  func requestWithoutConfiguration() { isRequested.signal() }

  /// Reloads and waits for the result, for people.
  func perform() throws(APIError) -> String {
    let answer = Promise<Outcome>()
    requests.withLock { $0.answers.append(answer) }
    request()
    switch answer.take(until: .now + Self.timeout) {
    case .success(let text)?: return text
    case .failure(let refusal)?:
      throw APIError(422, "notReloaded", "\(refusal.subject): \(refusal.what)", hint: refusal.hint)
    case nil: throw APIError(503, "notTaken", "the file could not be read in time", hint: "check its disk")
    }
  }

  func stop() { thread.stop() }
}

extension ConfigurationReload.Parts {
  fileprivate func reload(_ settings: inout ProgramSettings) -> ConfigurationReload.Outcome {
    service.beginReload(at: .now)
    var results = reloadAccess()
    let reopened = reopenEvents()
    if let read {
      results.insert(reconfigure(&settings, read), at: 0)
      results.append(reopened.map { _ in nil })
    } else {
      results.insert(reopened, at: 0)
    }
    let result = Self.combined(results)
    switch result {
    case .success(let text): service.endReload(text)
    case .failure(let refusal): service.endReload("\(refusal)")
    }
    return result
  }

  fileprivate func reloadFiles() -> ConfigurationReload.Outcome {
    Self.combined([reopenEvents()] + reloadAccess())
  }

  /// What one part has done, for people; nil if nothing has changed.
  private typealias PartResult = Result<String?, Refusal>

  /// The first failure, or all that has changed.
  private static func combined(_ results: [PartResult]) -> ConfigurationReload.Outcome {
    Result { () throws(Refusal) in
      var texts: [String] = []
      for result in results { if let text = try result.get() { texts.append(text) } }
      return texts.isEmpty ? "nothing to reload" : texts.joined(separator: "; ")
    }
  }

  private func reconfigure(
    _ settings: inout ProgramSettings, _ read: () throws(Refusal) -> ProgramSettings
  ) -> PartResult {
    result("configuration not reloaded, keeping the old one") { () throws(Refusal) in
      // Commands may have changed it since.
      settings.broadcast = broadcaster.configuration
      settings.broadcast.outputs.requests.removeAll(where: \.isOfSession)
      let change = ConfigurationChange(
        from: settings, to: try read(), running: broadcaster.runningConfiguration)
      settings = change.accepted
      broadcaster.configure(settings.broadcasting)
      observe(.note(change.description))
      return change.description
    }
  }

  private func reloadAccess() -> [PartResult] {
    let results = [
      result("token secret not reloaded, keeping the old one", access.reloadSecret),
      result("certificate not reloaded, keeping the old one", access.reloadCertificate),
    ]
    for result in results { if case .success(let text?) = result { observe(.note(text)) } }
    return results
  }

  private func reopenEvents() -> PartResult {
    result("events file not reopened, writing to the old one") { () throws(Refusal) in
      try events?.reopen()
      return events?.isRotatable == true ? "events file reopened" : nil
    }
  }

  /// Warns of a failure.
  private func result(_ failure: String, _ body: () throws(Refusal) -> String?) -> PartResult {
    do throws(Refusal) {
      return .success(try body())
    } catch {
      let refusal = Refusal(error.status, "\(failure): \(error.subject)", error.what, error.hint)
      observe(.warning("\(refusal)"))
      return .failure(refusal)
    }
  }
}
