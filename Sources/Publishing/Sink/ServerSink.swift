package import HoldfastMediaModel
package import HoldfastPlatform

/// A connection to one server, used by its output's thread. No call blocks beyond its deadline.
package protocol ServerSink: AnyObject {
  /// Connects without publishing; cancelled by `stop`. False if there is nothing to connect beforehand.
  func prepare(
    _ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup
  ) throws(SinkError) -> Bool

  /// Returns when the server has accepted the publish; cancelled by `stop`. Makes a new connection if a
  /// prepared one is lost.
  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError)

  /// Never blocks: bytes that the network does not accept add to `backlog`. The first picture is a keyframe.
  func send(_ packet: MediaPacket) throws(SinkError)

  /// The pictures that follow have the headers of `track`; only for an address that can change them.
  func change(to track: Track)

  var backlog: Int { get }

  /// Moves bytes both ways until `wakeup` is signalled, the backlog is sent, or `deadline` passes.
  func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError)

  /// Sends an event to the viewers, if the protocol can carry it.
  func send(_ event: CustomEvent) throws(SinkError)

  /// Suspends the session at the server; false if the protocol or the server cannot.
  func pause(until deadline: MonotonicTime) throws(SinkError) -> Bool

  func resume(until deadline: MonotonicTime) throws(SinkError)

  var health: SinkHealth { get }

  /// The server's product name; nil if it sends none.
  var serverName: String? { get }

  /// Ends sending at once. If the server may still say what it has received, the connection stays open for `listen`.
  func leave()

  /// The server has not closed the connection.
  var isOpen: Bool { get }

  /// Takes in what the server says until it closes the connection, or `deadline` passes.
  func listen(until deadline: MonotonicTime)

  /// Sends the backlog and ends the connection, until `deadline` at most; at once if that has passed. True if the server
  /// has everything, as far as can be known.
  @discardableResult func close(until deadline: MonotonicTime) -> Bool
}

package struct PublishRequest: Hashable, Sendable {
  package var type: PublishType
  package var tracks: [Track]
  /// Only checks whether a publish is allowed.
  package var isTrial = false
  /// The first packet's time on a connection that continues a recording.
  package var lead = MediaTime.zero
}

package struct CustomEvent: Hashable, Sendable {
  package var name: String
  package var text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

package struct SinkHealth: Hashable, Sendable {
  /// When the server last accepted data or answered.
  package var lastProgress: MonotonicTime
  /// Packets sent before this time are acknowledged.
  package var confirmedUntil: MonotonicTime
  /// Whether `confirmedUntil` advances with each picture.
  package var confirmsPictures = false
  /// The server has not acknowledged everything.
  package var isWaitingForPeer = false
  /// The server's process answers, not just its operating system.
  package var isPeerAnswering = false
  /// How long media has to flow to prove a publish; zero where the server's program answers.
  package var provingTime = MediaTime.zero
  /// Bytes in the operating system's send buffer.
  package var unsentBytes = 0
  package var roundTrip: MediaTime?
  /// The share of packets lost on the way; nil if unknown.
  package var lossRate: Double?
  package var bytesSent: Int64 = 0
}

extension SinkHealth {
  package init(lastProgress: MonotonicTime) {
    self.init(lastProgress: lastProgress, confirmedUntil: lastProgress)
  }
}

extension ServerSink {
  package func prepare(
    _ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup
  ) throws(SinkError) -> Bool { false }
  package func change(to track: Track) {}
  package func send(_ event: CustomEvent) throws(SinkError) {}
  package func pause(until deadline: MonotonicTime) throws(SinkError) -> Bool { false }
  package func resume(until deadline: MonotonicTime) throws(SinkError) {}
  package var serverName: String? { nil }
  package func leave() { close(until: .now) }
  package var isOpen: Bool { false }
  package func listen(until deadline: MonotonicTime) {}
}
