package import HoldfastMediaModel

extension MediaServer {
  /// What happens at the server, in the order in which it happens. Keys are never in it.
  package enum Event: Hashable, Sendable {
    case listening(address: String)
    /// `path` is the file that is written.
    case publishing(stream: String, PublishType, peer: String, path: String?)
    /// What has come so far: when the first packet of a track has come, and then each second.
    case arrived(StreamReport)
    /// A named event that the publisher sent, and its text if it has one.
    case data(stream: String, name: String, text: String?)
    case recorded(path: String, bytes: Int)
    case recordingFailed(path: String, reason: String)
    case ended(StreamReport, EndReason)
    case playing(stream: String, peer: String)
    /// A player that can't keep up missed so many messages, and goes on with a keyframe.
    case skipped(stream: String, peer: String, messages: Int)
    case playerLeft(stream: String, peer: String)
    /// A publish, a play or a connection was not let in.
    case refused(peer: String, stream: String?, Refusal)
    case cutOff(peer: String, reason: String)
    case stopped
  }

  package enum EndReason: Hashable, Sendable {
    case unpublished
    case disconnected
    case serverStopped
  }

  package enum Refusal: String, Hashable, Sendable, CaseIterable {
    case nameTaken = "the name is taken"
    case badName = "not a name that may be published"
    case wrongKey = "no key, or a wrong one"
    case notFound = "nobody publishes it"
    case fileFailed = "its file can't be written"
    case tooManyConnections = "too many connections"
  }
}
