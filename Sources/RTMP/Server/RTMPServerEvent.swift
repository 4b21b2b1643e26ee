package import HoldfastMediaModel

extension RTMPServer {
  package typealias StreamID = UInt32

  package enum Event: Hashable, Sendable {
    // The first three await `accept` or `refuse`.
    case connectRequested(ConnectRequest)
    case publishRequested(PublishRequest)
    case playRequested(PlayRequest)
    /// A complete video or audio message, with FLV's payload.
    case media(StreamID, TrackKind, timestamp: UInt32, payload: [UInt8])
    /// The stream's `onMetaData`, with FLV's payload.
    case metadata(StreamID, timestamp: UInt32, payload: [UInt8])
    /// Another data message: its values including the name, and FLV's payload.
    case data(StreamID, [AMFValue], timestamp: UInt32, payload: [UInt8])
    case unpublished(StreamID)
    case paused(StreamID, Bool)
    case playStopped(StreamID)
    case acknowledged(totalBytes: UInt64)
    case pong(UInt32)
  }

  package struct ConnectRequest: Hashable, Sendable {
    /// Without arguments.
    package var application: String
    package var query: String
  }

  package struct PublishRequest: Hashable, Sendable {
    package var stream: StreamID
    /// Without arguments.
    package var name: String
    package var query: String
    package var type: PublishType
  }

  package struct PlayRequest: Hashable, Sendable {
    package var stream: StreamID
    /// Without arguments.
    package var name: String
    package var query: String
  }

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
