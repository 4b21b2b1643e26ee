package import HoldfastMediaModel

/// Something that goes wrong with a server or on the way there.
package enum Fault: String, Sendable, CaseIterable {
  case closed
  case killed
  case frozenBriefly
  case frozen
  case blackHole
  case vanished
  case reset
  case throttled
  case slowHandshake
  case refusedPort
  case wrongKey
  case nameTaken
  case wrongCertificate
  case unresolved
  case restartedTenTimes

  package var title: String {
    switch self {
    case .closed: "closed by the server"
    case .killed: "killed, started again"
    case .frozenBriefly: "frozen briefly"
    case .frozen: "frozen"
    case .blackHole: "black hole, no RST"
    case .vanished: "black hole, SYNs lost too"
    case .reset: "reset in mid-chunk"
    case .throttled: "throttled to half the rate"
    case .slowHandshake: "slow handshake"
    case .refusedPort: "refused port"
    case .wrongKey: "wrong key"
    case .nameTaken: "name still taken"
    case .wrongCertificate: "wrong certificate"
    case .unresolved: "name not resolved"
    case .restartedTenTimes: "restarted ten times"
    }
  }

  /// How long it lasts, once.
  package var outage: MediaTime {
    switch self {
    case .closed, .reset, .wrongKey, .wrongCertificate: .zero
    case .restartedTenTimes: .milliseconds(300)
    case .killed, .frozenBriefly, .refusedPort, .slowHandshake, .nameTaken, .unresolved: .seconds(2)
    case .throttled: .seconds(4)
    // Longer than it takes to give a silent server up.
    case .frozen, .blackHole, .vanished: .milliseconds(4500)
    }
  }

  /// How often it comes.
  package var times: Int { self == .restartedTenTimes ? 10 : 1 }

  /// Is there from the beginning, and no return from it.
  package var isForGood: Bool { self == .wrongKey || self == .wrongCertificate }

  /// The connection outlives it: nothing has to be missing.
  package var leavesConnection: Bool { self == .frozenBriefly || self == .throttled }

  /// The server itself can't be reached or doesn't answer; else only its connection ends.
  var needsProxy: Bool {
    switch self {
    case .closed, .killed, .frozenBriefly, .frozen, .wrongKey, .unresolved, .restartedTenTimes: false
    case .blackHole, .vanished, .reset, .throttled, .slowHandshake, .refusedPort, .nameTaken,
      .wrongCertificate:
      true
    }
  }
}
