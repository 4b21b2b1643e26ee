import HoldfastBroadcasting
import HoldfastMediaSources
import HoldfastRecording

/// Settings that are invalid, alone or in combination.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid properties of `Configuration`, such as `outputs[0].address`.
  public let properties: [String]
  public let what: String
  /// How to fix the properties.
  public let hint: String

  /// Creates an error for a stand-in of a broadcaster.
  public init(properties: [String], what: String, hint: String) {
    (self.properties, self.what, self.hint) = (properties, what, hint)
  }

  /// What is invalid and how to fix it.
  public var description: String { properties.joined(separator: " and ") + ": \(what); \(hint)" }
}

/// Why a broadcast could not start or continue.
public struct BroadcastError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for programmatic handling.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case device, recording, encoder
    /// Every server refused the broadcast, and nothing is recorded.
    case refused
    /// No server, or not every required one, took any of the broadcast.
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
  public let hint: String
  /// The reports of all broadcasts that went live, the failed one included.
  public var reports: [Report] = []

  /// Creates an error for a stand-in of a broadcaster.
  public init(kind: Kind, subject: String, what: String, hint: String) {
    (self.kind, self.subject, self.what, self.hint) = (kind, subject, what, hint)
  }

  /// What failed, why, and how to fix it.
  public var description: String { "\(subject): \(what); \(hint)" }
}

extension ConfigurationError {
  init(_ error: HoldfastBroadcasting.ConfigurationError) {
    self.init(
      properties: error.settings.map { $0.property(ofOutput: error.output) },
      what: error.what, hint: error.hint)
  }
}

extension BroadcastError {
  init(_ error: HoldfastBroadcasting.BroadcastError) {
    (kind, subject, what, hint) =
      switch error {
      case .capture(let error): (.device, error.device, error.what, error.hint)
      case .recording(let error): (.recording, error.path, error.what, error.hint)
      case .encoding(let what): (.encoder, "encoder", what, "choose another encoder or codec")
      case .refused(let reasons):
        (
          .refused, "outputs", reasons.joined(separator: "; "),
          "correct the address, its key or its password, or record as well"
        )
      case .gaveUp(let reasons), .notDelivered(let reasons):
        (
          .unreachable, "outputs", reasons.joined(separator: "; "),
          "check whether the servers run and can be reached"
        )
      case .gate(let error): (.gate, "gate", "\(error)", "check what the gate asks for")
      case .system(let what):
        (.system, "broadcaster", what, "check whether the machine is out of memory, threads or files")
      }
  }
}
