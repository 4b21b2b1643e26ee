/// The status in an `onStatus` or a command's error.
package struct RTMPStatus: Hashable, Sendable {
  package var code: String
  package var level: String
  package var description: String

  enum Meaning: Hashable {
    case accepted
    case refused(RTMPRefusal.Reason)
    case ended
    case reconnect
    /// No effect on the publish.
    case informational
  }

  var meaning: Meaning {
    if let known = Self.meanings[code] { return known }
    // A server that cannot record may still relay the stream.
    if code.hasPrefix("NetStream.Record.") { return .informational }
    return level == "error" ? .refused(.other) : .informational
  }

  /// The code is one of the protocol's, not text of the server's own.
  package var hasKnownCode: Bool { Self.meanings[code] != nil }

  private static let meanings: [String: Meaning] = [
    "NetStream.Publish.Start": .accepted,
    "NetStream.Publish.BadName": .refused(.nameTaken),
    "NetStream.Publish.Unauthorized": .refused(.credentials),
    "NetStream.Publish.Denied": .refused(.credentials),
    "NetStream.Publish.Rejected": .refused(.credentials),
    "NetConnection.Connect.Rejected": .refused(.credentials),
    "NetConnection.Connect.Unauthorized": .refused(.credentials),
    "NetConnection.Connect.InvalidApp": .refused(.other),
    "NetConnection.Connect.Failed": .refused(.other),
    "NetConnection.Call.Failed": .refused(.other),
    "NetStream.Publish.Failed": .refused(.other),
    "NetStream.Publish.BadConnection": .refused(.other),
    "NetStream.Failed": .refused(.other),
    "NetStream.Unpublish.Success": .ended,
    "NetConnection.Connect.Closed": .ended,
    "NetConnection.Connect.AppShutdown": .ended,
    "NetConnection.Connect.IdleTimeout": .ended,
    "NetConnection.Connect.ReconnectRequest": .reconnect,
  ]
}

extension RTMPStatus {
  init(_ information: AMFValue?) {
    code = information?["code"]?.text ?? ""
    level = information?["level"]?.text ?? ""
    description = information?["description"]?.text ?? information?["details"]?.text ?? ""
  }
}

package struct RTMPRefusal: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Another publisher has the name, possibly an older connection of ours.
    case nameTaken
    case credentials
    case other
  }

  package var reason: Reason
  package var status: RTMPStatus
}
