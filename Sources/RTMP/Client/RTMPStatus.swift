/// What a server says in an `onStatus`, or in the error of a command.
package struct RTMPStatus: Hashable, Sendable {
  package var code: String
  package var level: String
  package var description: String

  /// What it means for a publisher.
  enum Meaning: Hashable {
    case accepted
    case refused(RTMPRefusal.Reason)
    case ended
    case reconnect
    /// It is worth knowing and changes nothing.
    case nothing
  }

  var meaning: Meaning {
    switch code {
    case "NetStream.Publish.Start": .accepted
    case "NetStream.Publish.BadName": .refused(.nameTaken)
    case "NetStream.Publish.Unauthorized", "NetStream.Publish.Denied", "NetConnection.Connect.Rejected",
      "NetStream.Publish.Rejected", "NetConnection.Connect.Unauthorized":
      .refused(.credentials)
    case "NetConnection.Connect.InvalidApp", "NetConnection.Connect.Failed", "NetStream.Publish.Failed",
      "NetStream.Failed", "NetConnection.Call.Failed", "NetStream.Publish.BadConnection":
      .refused(.other)
    case "NetStream.Unpublish.Success", "NetConnection.Connect.Closed", "NetConnection.Connect.AppShutdown",
      "NetConnection.Connect.IdleTimeout":
      .ended
    case "NetConnection.Connect.ReconnectRequest": .reconnect
    // A server that can't record says so, and may go on passing the stream on.
    case let code where code.hasPrefix("NetStream.Record."): .nothing
    default: level == "error" ? .refused(.other) : .nothing
    }
  }
}

extension RTMPStatus {
  init(_ information: AMFValue?) {
    code = information?["code"]?.text ?? ""
    level = information?["level"]?.text ?? ""
    description = information?["description"]?.text ?? information?["details"]?.text ?? ""
  }
}

/// Why a server does not take a publish.
package struct RTMPRefusal: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Somebody publishes under this name already, perhaps an older connection of our own.
    case nameTaken
    case credentials
    case other
  }

  package var reason: Reason
  package var status: RTMPStatus
}
