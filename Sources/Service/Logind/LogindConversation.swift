internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Everything that is said between logind and us over one connection to the bus.
final class LogindConversation {
  static let logind = "org.freedesktop.login1"
  static let manager = "org.freedesktop.login1.Manager"
  static let managerPath = "/org/freedesktop/login1"
  static let sessionInterface = "org.freedesktop.login1.Session"

  let settings: LogindWatcher.Settings
  let bus: SystemBus
  var state: LogindState
  var events: [LogindEvent] = []
  /// While it is open, logind tells us of a sleep and waits.
  var inhibitor: FileDescriptor?
  /// Of the session that is watched.
  var sessionPath: String?
  /// It is the one that is active at the seat, whichever that is.
  var followsSeat = false
  /// When to ask (again) for all that is to be known.
  private var nextTry: MonotonicTime?
  /// The session is to be looked for again.
  var isSessionSought = false

  init(_ settings: LogindWatcher.Settings, _ state: LogindState) throws(BusError) {
    self.settings = settings
    self.state = state
    bus = try SystemBus(address: settings.busAddress, patience: settings.patience)
    try listen()
    try ask()
  }

  /// What has happened since the last time.
  func takeEvents() -> [LogindEvent] {
    defer { events = [] }
    return events
  }

  func wait(until stop: Wakeup) throws(SystemError) {
    try bus.wait(until: stop, or: nextTry)
  }

  func process() throws(BusError) {
    try bus.process()
    if bus.isReady { state.works(.bus) }
    if let time = nextTry, MonotonicTime.now >= time {
      nextTry = nil
      try ask()
    }
    if isSessionSought, let session = settings.session {
      isSessionSought = false
      try find(session)
    }
  }

  private func listen() throws(BusError) {
    try listenForOwner()
    try listenForSleep()
    if settings.session != nil { try listenForSession() }
  }

  private func ask() throws(BusError) {
    try askForSleep()
    if !state.isSleepNear { try takeInhibitor() }
    if let session = settings.session { try find(session) }
  }

  /// logind may go and come again; a new one knows nothing of us.
  private func listenForOwner() throws(BusError) {
    try bus.listen(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='\(Self.logind)'"
    ) { [unowned self] message in
      inhibitor = nil
      sessionPath = nil
      askSoon()
    }
  }

  /// For closures, which can't throw.
  func askSoon() {
    nextTry = .now
  }

  /// Notes what does not work. Silence may end without a sign, so logind is asked again after a pause.
  func complain(_ subject: LogindState.Subject, _ what: String, _ error: BusError) {
    // A connection that is over answers everything at once; that is told elsewhere.
    guard bus.isOpen else { return }
    events += state.complain(subject, "\(what), logind: \(error)")
    if error.isSilence { nextTry = .now + settings.pause }
  }
}
