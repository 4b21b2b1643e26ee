internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Where a configuration came from, so that it can be read again.
struct ConfigurationSource: Sendable {
  private let arguments: [String]
  private let environment: [String: String]

  init(_ arguments: [String], environment: [String: String]) {
    self.arguments = arguments
    self.environment = environment
  }

  func read() throws(Refusal) -> ProgramSettings {
    try ConfigurationReader(environment: environment).read(arguments)
  }
}

/// Reads the configuration again when somebody asks for it, and gives it to the broadcaster.
///
/// On a thread of its own: a file may be long in coming, and signals must not wait for that.
final class ConfigurationReload: Sendable {
  /// Who is asked and told.
  struct Surroundings: Sendable {
    /// What the program was started with.
    let first: ProgramSettings
    let source: ConfigurationSource
    let broadcaster: Broadcaster
    let service: ServiceLink
    /// Shows a line to people.
    let note: @Sendable (String) -> Void
  }

  private let isAsked: Wakeup
  private let isOver: Wakeup
  private let thread = ThreadSlot()

  init(_ surroundings: Surroundings) throws(SystemError) {
    let isAsked = try Wakeup()
    let isOver = try Wakeup()
    self.isAsked = isAsked
    self.isOver = isOver
    try thread.start(name: "configuration") {
      var settings = surroundings.first
      while let outcome = try? isOver.poll([isAsked.descriptor], until: nil), outcome != .signalled {
        isAsked.clear()
        Self.reload(&settings, surroundings)
      }
    }
  }

  func ask() {
    isAsked.signal()
  }

  func stop() {
    isOver.signal()
    thread.join()
  }

  private static func reload(_ settings: inout ProgramSettings, _ surroundings: Surroundings) {
    surroundings.service.beginReload(at: .now)
    let said: String
    do {
      let broadcaster = surroundings.broadcaster
      // Commands may have changed it meanwhile.
      settings.broadcast = broadcaster.configuration
      let change = ConfigurationChange(
        from: settings, to: try surroundings.source.read(), running: broadcaster.runningConfiguration)
      settings = change.accepted
      broadcaster.configure(settings.broadcast)
      said = change.description
    } catch {
      said = "configuration not read again, the old one holds: \(error)"
    }
    surroundings.note(said)
    surroundings.service.endReload(said)
  }
}
