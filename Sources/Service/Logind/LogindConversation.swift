import HoldfastMediaModel
import HoldfastPlatform

/// The conversation with logind over one connection to the bus.
final class LogindConversation {
  static let logind = "org.freedesktop.login1"
  static let manager = "org.freedesktop.login1.Manager"
  static let managerPath = "/org/freedesktop/login1"
  static let sessionInterface = "org.freedesktop.login1.Session"

  static func managerCall(_ method: String, _ arguments: [String]) -> BusCall {
    BusCall(
      destination: logind, path: managerPath, interface: manager, method: method, arguments: arguments)
  }

  /// A call that gets one property of a logind object, or all without a name.
  static func property(_ name: String? = nil, of interface: String, at path: String) -> BusCall {
    BusCall(
      destination: logind, path: path, interface: "org.freedesktop.DBus.Properties",
      method: name == nil ? "GetAll" : "Get", arguments: [interface] + (name.map { [$0] } ?? []))
  }

  let settings: LogindWatcher.Settings
  let bus: SystemBus
  var state: LogindState
  var events: [LogindEvent] = []
  /// While it is open, logind delays an announced sleep or shutdown.
  var inhibitor: FileDescriptor?
  var sessionPath: String?
  /// The watched session is the seat's active one.
  var followsSeat = false
  /// When to request the whole state again.
  private var nextTry: MonotonicTime?
  var needsSession = false
  /// The number of the latest search for the session; answers to earlier ones count no more.
  var search = 0

  init(_ settings: LogindWatcher.Settings, _ state: LogindState) throws(BusError) {
    self.settings = settings
    self.state = state
    self.state.forgetLocks()
    bus = try SystemBus(address: settings.busAddress, timeout: settings.timeout)
    try listenForOwner()
    try listenForRest()
    if settings.session != nil { try listenForSession() }
    try refresh()
  }

  func takeEvents() -> [LogindEvent] {
    defer { events = [] }
    return events
  }

  func wait(until stop: Wakeup) throws(SystemError) { try bus.wait(until: stop, or: nextTry) }

  func process() throws(BusError) {
    try bus.process()
    if bus.isReady { state.noteSuccess(.bus) }
    if let time = nextTry, MonotonicTime.now >= time {
      nextTry = nil
      try refresh()
    }
    if needsSession, let session = settings.session {
      needsSession = false
      try find(session)
    }
  }

  private func refresh() throws(BusError) {
    try requestRestState()
    if !state.isRestNear { try takeInhibitor() }
    if let session = settings.session { try find(session) }
  }

  /// A restarted logind has lost our inhibitor.
  private func listenForOwner() throws(BusError) {
    try bus.listen(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='\(Self.logind)'"
    ) { [unowned self] message in
      inhibitor = nil
      sessionPath = nil
      search += 1
      state.forgetLocks()
      scheduleRefresh()
    }
  }

  /// Schedules `refresh`, for closures that can't throw.
  func scheduleRefresh() { nextTry = .now }

  /// Notes a failure. After a timeout logind is asked again, as it may recover without a signal.
  func noteFailure(_ subject: LogindState.Subject, _ what: String, _ error: BusError) {
    // A closed connection fails all calls, and is reported elsewhere.
    guard bus.isOpen else { return }
    events += state.noteFailure(subject, "\(what), logind: \(error)")
    if error.isTimeout { nextTry = .now + settings.pause }
  }
}
