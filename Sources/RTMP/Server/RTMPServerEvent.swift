package import HoldfastMediaModel

extension RTMPServer {
  /// The number of one of a client's streams.
  package typealias StreamID = UInt32

  package enum Event: Hashable, Sendable {
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

  package struct ConnectRequest: Hashable, Sendable {
    /// Without its arguments.
    package var application: String
    /// The query of the application's name.
    package var query: String
    /// The server's address as the client wrote it.
    package var tcURL: String
    /// How the client calls itself.
    package var software: String
    /// The codecs of Enhanced RTMP that the client names.
    package var fourCCs: [String]
  }

  package struct PublishRequest: Hashable, Sendable {
    package var stream: StreamID
    /// Without its arguments.
    package var name: String
    package var query: String
    package var type: PublishType
  }

  package struct PlayRequest: Hashable, Sendable {
    package var stream: StreamID
    /// Without its arguments.
    package var name: String
    package var query: String
  }

  /// Why a request is refused; the text is for people.
  package struct Refusal: Hashable, Sendable {
    package enum Reason: Hashable, Sendable, CaseIterable {
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

    package var reason: Reason
    package var description: String

    package init(_ reason: Reason, _ description: String) {
      self.reason = reason
      self.description = description
    }
  }
}
