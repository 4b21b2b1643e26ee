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

  package struct Traits: Sendable {
    package let title: String
    /// How long it lasts, once.
    package let outage: MediaTime
    /// Until a publisher has to say that something is wrong; nil where it has to say nothing.
    package let noticeBar: MediaTime?
    /// One of these states has to be said.
    package let states: Set<String>
    /// One of these has to be named as the cause, some time.
    package let causes: Set<String>

    /// The connection ends, which is noticed at once.
    fileprivate static func ends(
      _ title: String, _ outage: MediaTime,
      _ causes: Set<String> = ["closed", "closedBeforeAccepted", "unreachable"]
    ) -> Traits {
      Traits(
        title: title, outage: outage, noticeBar: .milliseconds(100), states: ["connecting", "waiting"],
        causes: causes)
    }

    /// It is noticed as soon as the server, which answers each fifth of a second, has missed its turn.
    fileprivate static func isSilent(_ title: String, _ outage: MediaTime) -> Traits {
      Traits(
        title: title, outage: outage, noticeBar: .milliseconds(1200), states: ["stalled"],
        causes: ["noProgress", "timedOut"])
    }

    fileprivate static func refuses(_ title: String, within bar: MediaTime, _ causes: Set<String>) -> Traits {
      Traits(title: title, outage: .zero, noticeBar: bar, states: ["refused"], causes: causes)
    }

    /// Longer than it takes to give a silent server up.
    fileprivate static let untilGivenUp = MediaTime.milliseconds(4500)
  }

  package var traits: Traits {
    switch self {
    case .closed: .ends("closed by the server", .zero)
    case .killed: .ends("killed, started again", .seconds(2))
    case .frozenBriefly: .isSilent("frozen briefly", .seconds(2))
    case .frozen: .isSilent("frozen", Traits.untilGivenUp)
    case .blackHole: .isSilent("black hole, no RST", Traits.untilGivenUp)
    case .vanished: .isSilent("black hole, SYNs lost too", Traits.untilGivenUp)
    case .reset: .ends("reset in mid-chunk", .zero)
    case .throttled:
      Traits(
        title: "throttled to half the rate", outage: .seconds(4), noticeBar: nil,
        states: ["publishing", "stalled", "connecting", "waiting"], causes: ["noProgress", "timedOut"])
    case .slowHandshake: .ends("slow handshake", .seconds(2), ["closed", "noProgress", "timedOut"])
    case .refusedPort: .ends("refused port", .seconds(2), ["unreachable"])
    // Three attempts, for a server that hangs up without a word.
    case .wrongKey: .refuses("wrong key", within: .seconds(3), ["refused", "refusedOrTaken"])
    case .nameTaken: .ends("name still taken", .seconds(2), ["nameTaken"])
    case .wrongCertificate: .refuses("wrong certificate", within: .seconds(1), ["certificate"])
    case .unresolved: .ends("name not resolved", .seconds(2), ["unresolved"])
    case .restartedTenTimes: .ends("restarted ten times", .milliseconds(300))
    }
  }

  /// How often it comes.
  package var times: Int { self == .restartedTenTimes ? 10 : 1 }

  /// Is there from the beginning, and no return from it.
  package var isForGood: Bool { self == .wrongKey || self == .wrongCertificate }

  /// The connection outlives it: nothing has to be missing.
  package var leavesConnection: Bool { self == .frozenBriefly || self == .throttled }

  /// From the end of the fault until the server has a picture that was taken after it.
  package static let returnBar = MediaTime.seconds(1)

  /// What may be missing beyond the outage itself, each time.
  package static let lossBar = MediaTime.milliseconds(300)

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
