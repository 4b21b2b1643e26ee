import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPlatform

/// Reloads the configuration on request and passes it to the broadcaster, on a thread of its own: reading a
/// file may block, and signals must not wait.
final class ConfigurationReload: Sendable {
  private let isRequested: Wakeup
  private let thread: StoppableThread

  /// `first` is the initial configuration; `note` shows a line to people.
  init(
    first: ProgramSettings, read: @escaping @Sendable () throws(Refusal) -> ProgramSettings,
    broadcaster: Broadcaster, service: ServiceLink, note: @escaping @Sendable (String) -> Void
  ) throws(SystemError) {
    let isRequested = try Wakeup()
    self.isRequested = isRequested
    thread = try StoppableThread(name: "configuration") { isOver in
      var settings = first
      while let outcome = try? isOver.poll([isRequested.descriptor], until: nil), outcome != .signalled {
        isRequested.clear()
        service.beginReload(at: .now)
        let result: String
        do {
          // Commands may have changed it since.
          settings.broadcast = broadcaster.configuration
          let change = ConfigurationChange(
            from: settings, to: try read(), running: broadcaster.runningConfiguration)
          settings = change.accepted
          broadcaster.configure(settings.broadcast)
          result = change.description
        } catch {
          result = "configuration not reloaded, keeping the old one: \(error)"
        }
        note(result)
        service.endReload(result)
      }
    }
  }

  func request() {
    isRequested.signal()
  }

  func stop() {
    thread.stop()
  }
}
