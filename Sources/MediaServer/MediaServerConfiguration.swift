public import MediaModel

extension MediaServer {
  public struct Configuration: Hashable, Sendable {
    public var host = "127.0.0.1"
    /// 0 is a free one, which `port` names once the server has started.
    public var port: UInt16 = 0
    /// Where `record` and `append` write NAME.flv; nil: nothing is written.
    public var directory: String?
    /// A publisher has to show one of them, as `?key=…` behind the application's or the stream's name; nil: none.
    public var keys: Set<String>?
    public var maximumConnections = 32
    /// Bytes that all connections and streams together may hold.
    public var memoryLimit = 256 << 20
    /// Bytes that may wait for one player before it is sent nothing until a later keyframe.
    public var playerBacklog = 16 << 20
    /// A client that has not come through the handshake and asked for an application until then is sent away.
    public var handshakeLimit = MediaTime.seconds(10)
    /// One that neither publishes nor plays for so long, too.
    public var idleLimit = MediaTime.seconds(30)
    /// A client from whom nothing comes for so long, not even the answer to a ping, is gone.
    public var silenceLimit = MediaTime.seconds(15)
    /// A player may come so much earlier than the publisher.
    public var playerPatience = MediaTime.seconds(5)

    public init() {}

    /// What one connection may hold of messages that are not yet whole.
    var pendingLimit: Int { min(16 << 20, max(64 << 10, memoryLimit / 2 / max(1, maximumConnections))) }
    /// What the streams' last pictures and what waits for players may hold together.
    var sharedLimit: Int { memoryLimit / 2 }
  }
}
