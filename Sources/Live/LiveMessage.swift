import HoldfastMP4
package import HoldfastMediaModel

/// What is said between the fragments of a live stream.
package enum LiveMessage {
  static let scheme = "urn:holdfast:live"

  /// An empty box, which shows that the connection is there.
  package static let padding = Box.make("free", [])

  package static func bytes(_ value: String, _ data: JSONValue, id: UInt32, at time: MediaTime) -> [UInt8] {
    EventMessage(scheme: scheme, value: value, id: id, time: time, data: data.description).bytes
  }

  /// Which pictures a slow viewer did not get.
  package static func skipped(_ skip: LiveWindow.Skip, id: UInt32) -> [UInt8] {
    let data: JSONValue = [
      "pictures": .integer(Int64(skip.pictures)), "ms": .integer(skip.length.ticks(timescale: 1000)),
    ]
    return EventMessage(
      scheme: scheme, value: "skipped", id: id, time: skip.from, duration: skip.length, data: data.description
    ).bytes
  }
}
