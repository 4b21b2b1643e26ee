package import HoldfastMediaModel
package import HoldfastPlatform

/// A connection to one server, used by its output's thread. No call blocks beyond its deadline.
package protocol PacketSink: AnyObject {
  /// Returns when the server has accepted the publish; gives up at `deadline` or when `stop` is signalled.
  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError)

  /// Never blocks: what the network does not take is counted in `backlog`. The first picture is a keyframe.
  func send(_ packet: MediaPacket) throws(SinkError)

  /// How many bytes `send` has taken that the operating system has not.
  var backlog: Int { get }

  /// Moves bytes both ways, until `wakeup` is signalled, a backlog has gone, or `deadline` has come.
  func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError)

  /// Sends an event with a text to the viewers; does nothing where the protocol has no way to.
  func send(_ event: CustomEvent) throws(SinkError)

  /// Has the server wait where the protocol and the server know how to, and keeps the session. False where they don't.
  func pause(until deadline: MonotonicTime) throws(SinkError) -> Bool

  /// Ends a `pause` that was granted.
  func resume(until deadline: MonotonicTime) throws(SinkError)

  var health: SinkHealth { get }

  /// Sends what is left and says good-bye, until `deadline` at most. The connection is gone afterwards.
  func close(until deadline: MonotonicTime)
}

package struct PublishRequest: Hashable, Sendable {
  package var type: PublishType
  package var tracks: [Track]
  /// Only asks whether we may publish.
  package var isTrial = false
  /// How much before the first packet the connection's own time begins, where it continues a recording.
  package var lead = MediaTime.zero
}

/// An event with a text for the viewers, beside picture and sound.
package struct CustomEvent: Hashable, Sendable {
  package var name: String
  package var text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

package struct SinkHealth: Hashable, Sendable {
  /// When the server was last seen to have taken something, or answered.
  package var lastProgress: MonotonicTime
  /// What was handed over until then was acknowledged by the server.
  package var confirmedUntil: MonotonicTime
  /// Something was sent that the server has not acknowledged.
  package var isWaitingForPeer = false
  /// The server's program itself answers, not only its operating system.
  package var isPeerAnswering = false
  /// Bytes the operating system holds for the server.
  package var unsentBytes = 0
  /// Nil where nobody measures it.
  package var roundTrip: MediaTime?
  /// The share of packets lost on the way, where the transport tells it.
  package var lossRate: Double?
  package var bytesSent: Int64 = 0
}

extension SinkHealth {
  package init(lastProgress: MonotonicTime) {
    self.init(lastProgress: lastProgress, confirmedUntil: lastProgress)
  }
}

extension PacketSink {
  package func pause(until deadline: MonotonicTime) throws(SinkError) -> Bool { false }
  package func resume(until deadline: MonotonicTime) throws(SinkError) {}
}
