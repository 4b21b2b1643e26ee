public import MediaModel

/// What a fault did to a publisher.
public struct Measured: Sendable {
  public let fault: Fault
  public let subject: String
  /// From the fault until the publisher said something of its output.
  public let noticed: MediaTime?
  /// What it said from then on.
  public let changes: [OutputChange]
  /// How often it tried to get in, where it never could.
  public let attempts: Int
  /// How long the fault lasted, all times together.
  public let outage: MediaTime
  /// From its end until the server had written a picture that can be decoded; the longest of all times. Nil: never.
  public let firstMedia: MediaTime?
  /// The same for a picture that was taken after the end, so it is no backlog.
  public let live: MediaTime?
  /// How late a picture came at most, from when it was taken until the server had written it.
  public let latest: MediaTime?
  /// How much of the picture the server never got, or can't decode.
  public let missing: MediaTime
  /// Pictures missing in the other server's recording, and in the publisher's own.
  public let lostElsewhere: Int
  public let lostLocally: Int
  /// What was said of the other output, which nothing happened to.
  public let changesElsewhere: [OutputChange]
  /// What the server recorded; nil where nothing came.
  public let media: ServerMedia?
  /// What the publisher said, for a person.
  public let said: String

  /// How much more is missing than the fault has to answer for.
  public var missingBeyondOutage: MediaTime { max(.zero, missing - outage) }

  /// The states in their order, without repetitions.
  public var states: [String] {
    changes.map(\.state).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// All causes that were named.
  public var causes: Set<String> { Set(changes.compactMap(\.cause)) }

  /// The first of them.
  public var cause: String? { changes.compactMap(\.cause).first }
}
