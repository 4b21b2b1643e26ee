package import HoldfastMediaModel

extension MediaServer {
  /// Server events in order of occurrence; they never contain keys.
  package enum Event: Hashable, Sendable {
    case listening(address: String, speaksTLS: Bool)
    case publishing(stream: String, PublishType, peer: String, path: String?)
    /// Counts so far: sent on the first packet of a track, then every second.
    case arrived(StreamReport)
    /// A named event from the publisher, with its text if it has one.
    case data(stream: String, name: String, text: String?)
    case recorded(path: String, bytes: Int)
    /// An earlier recording has made room for a new one.
    case movedAside(path: String, to: String)
    case recordingFailed(path: String, reason: String)
    case ended(StreamReport, EndReason)
    case playing(stream: String, peer: String)
    /// Number of messages a slow player missed before it resumed at a keyframe.
    case skipped(stream: String, peer: String, messages: Int)
    case playerLeft(stream: String, peer: String)
    /// A publish, play or connection was refused.
    case refused(peer: String, stream: String?, Refusal)
    case cutOff(peer: String, reason: String)
    /// New connections get another certificate.
    case certificateRenewed
    case stopped
  }

  package enum EndReason: Hashable, Sendable {
    case unpublished
    case disconnected
    case serverStopped
    /// Another publisher has taken the stream over.
    case replaced
    /// The embedder has ended it, or it is no longer admitted.
    case revoked

    /// What the publisher is told.
    package var statusText: String {
      switch self {
      case .unpublished, .disconnected: "the publish is over"
      case .serverStopped: "the server stops"
      case .replaced: "another publisher has taken over"
      case .revoked: "may be published no longer"
      }
    }
  }

  package enum Refusal: String, Hashable, Sendable, CaseIterable {
    case nameTaken = "the name is taken"
    case badName = "not a name that may be published"
    case wrongKey = "no key, or a wrong one"
    case notFound = "not being published"
    case fileFailed = "its file can't be written"
    case tooManyConnections = "too many connections"
    case tooManyHandshakes = "too many TLS handshakes from its address"
    case onRequest = "as a test requested"
  }
}
