package import HoldfastMediaModel

extension MediaServer {
  package struct Configuration: Hashable, Sendable {
    package var host = "127.0.0.1"
    /// 0 is a free one, which `port` names once the server has started.
    package var port: UInt16 = 0
    /// Where `record` and `append` write NAME.flv; nil: nothing is written.
    package var directory: String?
    /// A publisher has to show one of them, as `?key=…` behind the application's or the stream's name; nil: none.
    package var keys: Set<String>?
    package var maximumConnections = 32
    /// Bytes that all connections and streams together may hold.
    package var memoryLimit = 256 << 20
    /// Bytes that may wait for one player before it is sent nothing until a later keyframe.
    package var playerBacklog = 16 << 20
    /// A client that has not come through the handshake and asked for an application until then is sent away.
    package var handshakeLimit = MediaTime.seconds(10)
    /// One that neither publishes nor plays for so long, too.
    package var idleLimit = MediaTime.seconds(30)
    /// A client from whom nothing comes for so long, not even the answer to a ping, is gone.
    package var silenceLimit = MediaTime.seconds(15)
    /// A player may come so much earlier than the publisher.
    package var playerPatience = MediaTime.seconds(5)

    package init() {}

    /// What one connection may hold of messages that are not yet whole.
    var pendingLimit: Int { min(16 << 20, max(64 << 10, memoryLimit / 2 / max(1, maximumConnections))) }
    /// What the streams' last pictures and what waits for players may hold together.
    var sharedLimit: Int { memoryLimit / 2 }
  }
}
