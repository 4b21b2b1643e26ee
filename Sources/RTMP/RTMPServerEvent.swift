public import MediaModel

extension RTMPServer {
  /// The number of one of a client's streams.
  public typealias StreamID = UInt32

  public enum Event: Hashable, Sendable {
    /// Wants an answer.
    case connectRequested(ConnectRequest)
    /// Wants an answer.
    case publishRequested(PublishRequest)
    /// Wants an answer.
    case playRequested(PlayRequest)
    /// A whole message of video or audio; the payload is as FLV stores it.
    case media(StreamID, TrackKind, timestamp: UInt32, payload: [UInt8])
    /// What `onMetaData` says of the stream: its payload as FLV stores it.
    case metadata(StreamID, timestamp: UInt32, payload: [UInt8])
    /// Another message of data: its values, the name first, and the same as FLV stores it.
    case data(StreamID, [AMFValue], timestamp: UInt32, payload: [UInt8])
    case unpublished(StreamID)
    case paused(StreamID, Bool)
    case playStopped(StreamID)
    /// How much of what we sent the client has taken.
    case acknowledged(totalBytes: UInt64)
    case pong(UInt32)
  }

  public struct ConnectRequest: Hashable, Sendable {
    /// Without its arguments.
    public var application: String
    /// What stands behind the application's `?`.
    public var query: String
    /// The server's address as the client wrote it.
    public var tcURL: String
    /// How the client calls itself.
    public var software: String
    /// The codecs of Enhanced RTMP that the client names.
    public var fourCCs: [String]
  }

  public struct PublishRequest: Hashable, Sendable {
    public var stream: StreamID
    /// Without its arguments.
    public var name: String
    public var query: String
    public var type: PublishType
  }

  public struct PlayRequest: Hashable, Sendable {
    public var stream: StreamID
    /// Without its arguments.
    public var name: String
    public var query: String
  }

  /// Why a request is refused; the text is for people.
  public struct Refusal: Hashable, Sendable {
    public enum Reason: Hashable, Sendable, CaseIterable {
      /// Somebody else publishes under this name.
      case nameTaken
      /// The name is none that may be published or played.
      case badName
      case unauthorized
      /// Nobody publishes under this name.
      case notFound
      /// For another reason of the server's.
      case denied
    }

    public var reason: Reason
    public var description: String

    public init(_ reason: Reason, _ description: String) {
      self.reason = reason
      self.description = description
    }
  }
}
