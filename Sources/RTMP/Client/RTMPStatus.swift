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
    // A server that cannot record may still relay the stream.
    case let code where code.hasPrefix("NetStream.Record."): .informational
    default: level == "error" ? .refused(.other) : .informational
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
