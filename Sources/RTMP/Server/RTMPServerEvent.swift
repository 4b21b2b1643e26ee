package import HoldfastMediaModel

extension RTMPServer {
  /// The number of one of a client's streams.
  package typealias StreamID = UInt32

  package enum Event: Hashable, Sendable {
    // These three wait for `accept` or `refuse`.
    case connectRequested(ConnectRequest)
    case publishRequested(PublishRequest)
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
      case nameTaken
      case badName
      case unauthorized
      case notFound
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
