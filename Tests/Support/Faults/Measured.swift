package import HoldfastMediaModel

/// What a fault did to a publisher.
package struct Measured: Sendable {
  package let fault: Fault
  package let subject: String
  /// From the fault until the publisher said something of its output.
  package let noticed: MediaTime?
  /// What it said from then on.
  package let changes: [OutputChange]
  /// How often it tried to get in, where it never could.
  package let attempts: Int
  /// How long the fault lasted, all times together.
  package let outage: MediaTime
  /// From its end until the server had written a picture that can be decoded; the longest of all times. Nil: never.
  package let firstMedia: MediaTime?
  /// The same for a picture that was taken after the end, so it is no backlog.
  package let live: MediaTime?
  /// How late a picture came at most, from when it was taken until the server had written it.
  package let latest: MediaTime?
  /// How much of the picture the server never got, or can't decode.
  package let missing: MediaTime
  /// Pictures missing in the other server's recording, and in the publisher's own.
  package let lostElsewhere: Int
  package let lostLocally: Int
  /// What was said of the other output, which nothing happened to.
  package let changesElsewhere: [OutputChange]
  /// What the server recorded; nil where nothing came.
  package let media: ServerMedia?
  /// What the publisher said, for a person.
  package let said: String

  /// How much more is missing than the fault has to answer for.
  package var missingBeyondOutage: MediaTime { max(.zero, missing - outage) }

  /// The states in their order, without repetitions.
  package var states: [String] {
    changes.map(\.state).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// All causes that were named.
  package var causes: Set<String> { Set(changes.compactMap(\.cause)) }

  /// The first of them.
  package var cause: String? { changes.compactMap(\.cause).first }
}
