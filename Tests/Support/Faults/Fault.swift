package import HoldfastMediaModel

/// A fault of a server or of the network path to it.
package enum Fault: String, Sendable, CaseIterable {
  case closed, killed, frozenBriefly, frozen, blackHole, vanished, reset, throttled
  case slowHandshake, refusedPort, wrongKey, nameTaken, wrongCertificate, unresolved, restartedTenTimes

  package struct Traits: Sendable {
    package let title: String
    /// The length of one outage.
    package let outage: MediaTime
    /// The time within which the publisher must report the fault; nil if it need not.
    package let noticeBar: MediaTime?
    /// The accepted states for that report.
    package let states: Set<String>
    /// The causes of which one must be reported at some time.
    package let causes: Set<String>

    /// The connection ends, which is detected at once.
    fileprivate static func ends(
      _ title: String, _ outage: MediaTime,
      _ causes: Set<String> = ["closed", "closedBeforeAccepted", "unreachable"]
    ) -> Traits {
      Traits(
        title: title, outage: outage, noticeBar: .milliseconds(100), states: ["connecting", "waiting"],
        causes: causes)
    }

    /// Detected when the server, which acknowledges every 200 ms, misses an acknowledgement.
    fileprivate static func isSilent(_ title: String, _ outage: MediaTime) -> Traits {
      Traits(
        title: title, outage: outage, noticeBar: .milliseconds(1200), states: ["stalled"],
        causes: ["noProgress", "timedOut"])
    }

    fileprivate static func refuses(
      _ title: String, within bar: MediaTime, in state: String = "refused", _ causes: Set<String>
    ) -> Traits {
      Traits(title: title, outage: .zero, noticeBar: bar, states: [state], causes: causes)
    }

    /// Longer than it takes to abandon a silent server.
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
    // The server closes the connection without a reason.
    case .wrongKey: .refuses("wrong key", within: .seconds(3), in: "waiting", ["refusedOrTaken"])
    case .nameTaken: .ends("name still taken", .seconds(2), ["nameTaken"])
    case .wrongCertificate: .refuses("wrong certificate", within: .seconds(1), ["certificate"])
    case .unresolved: .ends("name not resolved", .seconds(2), ["unresolved"])
    case .restartedTenTimes: .ends("restarted ten times", .milliseconds(300))
    }
  }

  package var times: Int { self == .restartedTenTimes ? 10 : 1 }

  /// Whether the fault exists from the start and never ends.
  package var isForGood: Bool { self == .wrongKey || self == .wrongCertificate }

  /// Whether the connection survives the fault, so that no media may be missing.
  package var leavesConnection: Bool { self == .frozenBriefly || self == .throttled }

  /// The limit from the end of the fault until the server has a picture captured after it.
  package static let returnBar = MediaTime.seconds(1)

  /// The limit for media missing beyond the outage itself, for each outage.
  package static let lossBar = MediaTime.milliseconds(300)

  var needsProxy: Bool {
    ![.closed, .killed, .frozenBriefly, .frozen, .wrongKey, .unresolved, .restartedTenTimes].contains(self)
  }
}
