import HoldfastBroadcasting
import HoldfastCapture
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastRecording

/// Settings that are invalid, alone or in combination.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid settings, by their names in `holdfast publish`.
  public let settings: [String]
  public let what: String
  /// How to fix the settings.
  public let remedy: String

  /// What is invalid and how to fix it.
  public var description: String { settings.joined(separator: " and ") + ": \(what); \(remedy)" }
}

/// Why a broadcast could not start or continue.
public struct BroadcastError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for programmatic handling.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case device, recording, encoder
    /// Every server refused the broadcast, and nothing is recorded.
    case refused
    /// No server could be reached before every output gave up, and nothing is recorded.
    case unreachable
    case gate
    /// The operating system refused a thread, memory or a file.
    case system
    /// `run()` was called a second time.
    case alreadyRun
  }

  public let kind: Kind
  /// The device, file or server that failed.
  public let subject: String
  public let what: String
  /// How to fix the failure.
  public let remedy: String

  /// What failed, why, and how to fix it.
  public var description: String { "\(subject): \(what); \(remedy)" }
}

/// Why a command was rejected; nothing has changed.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of rejection, for programmatic handling.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Not allowed in this state or with this configuration.
    case notPossible
    /// Another change is in progress, or another program uses the device.
    case busy
    /// There is no such device or file.
    case notFound
    /// The device or file cannot be opened, or delivers nothing.
    case unusable
  }

  public let kind: Kind
  public let what: String
  /// What to do instead.
  public let remedy: String

  /// Why the command was rejected and what to do about it.
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
