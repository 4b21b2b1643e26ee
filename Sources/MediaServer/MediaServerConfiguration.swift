package import HoldfastMediaModel
package import HoldfastPlatform

extension MediaServer {
  package struct Configuration: Hashable, Sendable {
    package var host = "127.0.0.1"
    /// 0 picks a free port; `MediaServer.port` reports it after the start.
    package var port: UInt16 = 0
    /// Whether a free port is picked if `port` is taken.
    package var anyPortIfTaken = false
    /// The certificate for RTMPS; nil for RTMP.
    package var identity: TLSIdentity?
    /// The folder in which `record` and `append` write NAME.flv, or APPLICATION/NAME.flv if the
    /// application is not `live`; nil disables recording.
    package var directory: String?
    package var maxConnections = 32
    /// Maximum connections from one address that neither publish nor play; a new one displaces the oldest.
    package var maxHalfOpen = 16
    /// With TLS, from one address: handshakes at once, and the interval after which one more is allowed.
    package var handshakes: Int64 = 200
    package var handshakeInterval = MediaTime.milliseconds(40)
    /// Maximum bytes of memory for all connections and streams together.
    package var memoryLimit = 256 << 20
    /// Maximum bytes queued for one player; beyond it, delivery stops until a later keyframe.
    package var playerBacklog = 16 << 20
    /// Time allowed for the handshakes, also that of TLS, and the connect command.
    package var handshakeTimeout = MediaTime.seconds(10)
    /// Time after which a client that neither publishes nor plays is disconnected.
    package var idleTimeout = MediaTime.seconds(30)
    /// Time after which a client that sends nothing, not even pongs, is disconnected.
    package var silenceTimeout = MediaTime.seconds(15)
    /// How long a player may wait for its publisher.
    package var playerTimeout = MediaTime.seconds(5)

    /// How a publish is refused.
    package var refusalManner = RefusalManner.status
    /// Whether the end of a publish is answered, and the end of its connection.
    package var answersGoodBye = true
    package var answersPings = true
    package var acknowledges = true
    /// Whether each track of a publish begins at 0, whatever its stamps.
    package var startsTracksAtZero = false
    /// Whether `append` adds the stamps to the last one of the file, instead of letting the first packet follow its end.
    package var addsToLastStamp = false

    package enum RefusalManner: Hashable, Sendable {
      case status
      /// The connection is closed without a status.
      case close
      /// The publish is accepted, and the connection closed.
      case acceptAndClose
    }

    package init() {}

    /// Maximum bytes of incomplete messages of a connection that doesn't publish: all of them fit.
    var strangerLimit: Int { min(1 << 20, max(64 << 10, heldLimit / max(1, maxConnections))) }
    /// Maximum bytes of messages, queues and caches together. The rest is for the program itself, and for what the
    /// allocator doesn't give back.
    var heldLimit: Int { memoryLimit / 2 }
  }
}
