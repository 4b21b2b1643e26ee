package import HoldfastMediaModel

/// What is asked of a publisher that meets the fault.
extension Fault {
  /// Until it says that something is wrong: at once where the connection ends, else as soon as the server, which
  /// answers each fifth of a second, has missed its turn. Nil where nothing has to be said.
  package var noticeBar: MediaTime? {
    switch self {
    case .throttled: nil
    case .frozenBriefly, .frozen, .blackHole, .vanished: .milliseconds(1200)
    case .closed, .killed, .reset, .slowHandshake, .refusedPort, .nameTaken, .unresolved, .restartedTenTimes:
      .milliseconds(100)
    // Three attempts, for a server that hangs up without a word.
    case .wrongKey: .seconds(3)
    case .wrongCertificate: .seconds(1)
    }
  }

  /// From the end of the fault until the server has a picture that was taken after it.
  package static let returnBar = MediaTime.seconds(1)

  /// What may be missing beyond the outage itself, each time.
  package static let lossBar = MediaTime.milliseconds(300)

  /// One of these states has to be said.
  package var states: Set<String> {
    switch self {
    case .throttled: ["publishing", "stalled", "connecting", "waiting"]
    case .frozenBriefly, .frozen, .blackHole, .vanished: ["stalled"]
    case .wrongKey, .wrongCertificate: ["refused"]
    case .closed, .killed, .reset, .slowHandshake, .refusedPort, .nameTaken, .unresolved, .restartedTenTimes:
      ["connecting", "waiting"]
    }
  }

  /// One of these has to be named as the cause, some time.
  package var causes: Set<String> {
    switch self {
    case .closed, .killed, .reset, .restartedTenTimes: ["closed", "closedBeforeAccepted", "unreachable"]
    case .frozenBriefly, .frozen, .blackHole, .vanished, .throttled: ["noProgress", "timedOut"]
    case .slowHandshake: ["closed", "noProgress", "timedOut"]
    case .refusedPort: ["unreachable"]
    case .wrongKey: ["refused", "refusedOrTaken"]
    case .nameTaken: ["nameTaken"]
    case .wrongCertificate: ["certificate"]
    case .unresolved: ["unresolved"]
    }
  }
}
