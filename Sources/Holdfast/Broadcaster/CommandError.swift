import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel

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
    /// A value is out of range.
    case invalid
    /// The device or file cannot be opened, or delivers nothing.
    case unusable
  }

  public let kind: Kind
  public let what: String
  /// What to do instead.
  public let hint: String

  /// Creates an error for a stand-in of a broadcaster.
  public init(kind: Kind, what: String, hint: String) {
    (self.kind, self.what, self.hint) = (kind, what, hint)
  }

  /// Why the command was rejected and what to do about it.
  public var description: String { "\(what); \(hint)" }
}

extension CommandError {
  static let notTaken = CommandError(
    kind: .busy, what: "the broadcaster did not answer in time", hint: "try again")
  static let notRunning = CommandError(
    kind: .notPossible, what: "the broadcaster is not running yet", hint: "call run() first")

  init(_ error: ChangeError) { self.init(kind: Kind(as: error.kind), what: error.what, hint: error.hint) }

  init(_ refusal: Lifecycle.Refusal) {
    kind = .notPossible
    (what, hint) =
      switch refusal {
      case .isOver: ("the broadcaster has ended", "make another one")
      case .hasBegun: ("a broadcast has begun already", "end it before you start another one")
      case .noBroadcast: ("there is no broadcast to end", "stop() ends the broadcaster")
      case .hasNotBegun: ("nothing runs yet", "wait for the event starting or previewing")
      case .notInterrupted: ("the broadcast is not interrupted", "call interrupt() before resume()")
      case .notInBackground: ("the broadcaster is not in the background", "call background() before this")
      case .isInBackground, .isInBackgroundAlready:
        ("the broadcaster is in the background", "call foreground() before this")
      }
  }

  init(_ refusal: SessionTimer.Refusal) {
    kind = refusal == .wrongLength ? .invalid : .notPossible
    (what, hint) =
      switch refusal {
      case .noLimit: ("the session has no limit", "set session.maxDuration")
      case .limitReached(.zero):
        ("the session can't be extended further", "set a longer session.maxTotalDuration")
      case .limitReached(let left):
        ("the session can be extended by at most \(left)", "set a longer session.maxTotalDuration")
      case .isOver: ("the session is over", "start another one")
      case .wrongLength: ("not a length to extend by", "use more than zero and at most 366 days")
      case .requestUsed: ("this request was used before with another length", "choose another request")
      case .tooManyRequests: ("the session was extended too often", "extend it by more at once")
      }
  }
}
