package import HoldfastMediaModel

extension MediaServer {
  package struct Configuration: Hashable, Sendable {
    package var host = "127.0.0.1"
    /// 0 is a free one, which `port` names once the server has started.
    package var port: UInt16 = 0
    /// Where `record` and `append` write NAME.flv; nil: nothing is written.
    package var directory: String?
    /// One of them has to be the `key` in the query of a publisher's application or stream name; nil: none is asked for.
    package var keys: Set<String>?
    package var maxConnections = 32
    /// Bytes that all connections and streams together may hold.
    package var memoryLimit = 256 << 20
    /// Bytes that may wait for one player before it is sent nothing until a later keyframe.
    package var playerBacklog = 16 << 20
    /// The time for the handshake and for asking for an application.
    package var handshakeTimeout = MediaTime.seconds(10)
    /// For a client that neither publishes nor plays.
    package var idleTimeout = MediaTime.seconds(30)
    /// For a client from which nothing comes, not even the answer to a ping.
    package var silenceTimeout = MediaTime.seconds(15)
    /// How long a player may wait for its publisher.
    package var playerTimeout = MediaTime.seconds(5)

    package init() {}

    /// What one connection may hold of messages that are not yet whole.
    var pendingLimit: Int { min(16 << 20, max(64 << 10, memoryLimit / 2 / max(1, maxConnections))) }
    /// What the streams' last pictures and what waits for players may hold together.
    var sharedLimit: Int { memoryLimit / 2 }
  }
}
