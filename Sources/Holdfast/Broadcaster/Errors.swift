internal import HoldfastBroadcasting
internal import HoldfastCapture
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastRecording

/// Settings that can't be, or can't be together.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The settings that are wrong, as `holdfast publish` calls them.
  public let settings: [String]
  public let what: String
  public let remedy: String

  /// What is wrong, and what to do about it.
  public var description: String { settings.joined(separator: " and ") + ": \(what); \(remedy)" }
}

/// Why a broadcast could not start or go on.
public struct BroadcastError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What has failed, for programs that decide by it.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case device, recording, encoder
    /// Every server has refused the broadcast, and nothing is recorded.
    case refused
    /// No server could be reached for as long as was asked for, and nothing is recorded.
    case unreachable
    case gate
    /// The operating system has refused a thread, memory or a file.
    case system
    /// A broadcaster runs once.
    case alreadyRun
  }

  public let kind: Kind
  /// The device, file or server.
  public let subject: String
  public let what: String
  public let remedy: String

  /// What has failed, why, and what to do about it.
  public var description: String { "\(subject): \(what); \(remedy)" }
}

/// Why a command was not carried out: everything is as it was.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands in the command's way, for programs that decide by it.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Not in this state, or not with this configuration.
    case notPossible
    /// Another change is under way, or somebody else uses the device.
    case busy
    /// There is no such device or file.
    case notFound
    /// It can't be opened, or gives nothing.
    case unusable
  }

  public let kind: Kind
  public let what: String
  public let remedy: String

  /// What stands in the way, and what to do about it.
  public var description: String { "\(what); \(remedy)" }
}

extension ConfigurationError {
  init(_ error: HoldfastBroadcasting.ConfigurationError) {
    self.init(settings: error.settings.map(\.rawValue), what: error.why, remedy: error.remedy)
  }
}

extension BroadcastError {
  init(_ error: HoldfastBroadcasting.BroadcastError) {
    (kind, subject, what, remedy) =
      switch error {
      case .capture(let error): (.device, error.device, error.what, error.hint)
      case .recording(let error): (.recording, error.path, error.what, error.hint)
      case .encoding(let what): (.encoder, "encoder", what, "choose another encoder or codec")
      case .refused(let reasons):
        (
          .refused, "outputs", reasons.joined(separator: "; "),
          "correct the address, its key or its password, or record as well"
        )
      case .gaveUp(let reasons):
        (
          .unreachable, "outputs", reasons.joined(separator: "; "),
          "see whether the servers run and can be reached"
        )
      case .gate(let error): (.gate, "gate", "\(error)", "see what the gate asks for")
      case .system(let what):
        (.system, "broadcaster", what, "see whether the machine is out of memory, threads or files")
      }
  }
}

extension CommandError {
  static let notTaken = CommandError(
    kind: .busy, what: "the broadcaster takes no command now", remedy: "try again")

  init(_ error: ChangeError) {
    self.init(kind: Kind(as: error.kind), what: error.what, remedy: error.hint)
  }

  init(_ refusal: SessionTimer.Refusal) {
    kind = .notPossible
    (what, remedy) =
      switch refusal {
      case .noLimit: ("the session has no limit", "set session.maxDuration")
      case .limitReached(let left):
        ("it may be extended by \(left) at the most", "set a longer session.maxTotal")
      case .isOver: ("the session is over", "start another one")
      case .notATime: ("not a length to extend by", "give more than zero")
      case .requestUsed: ("this request has asked for another length", "use another request")
      case .tooManyRequests: ("it has been extended too often", "extend it by more at once")
      }
  }
}
