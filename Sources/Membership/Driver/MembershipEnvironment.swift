package import HoldfastMediaModel
package import HoldfastSession

/// The side effects of a member. Outcomes are events with the request's or the stream's number, never inside a call;
/// each request has one, `failed` at the latest after `limit`.
package protocol MembershipEnvironment {
  /// Answered by `joined`, `beaten`, `commanded` or `left`, as the request is, or by `failed`.
  mutating func send(_ number: Int, _ request: MembershipMachine.Request, within limit: MediaTime)
  /// Answered by `streamOpened`, a `streamed` for each event, and `streamClosed`, also after `silence` without a byte.
  mutating func openStream(_ number: Int, lease: String, after event: String, silence: MediaTime)
  /// Nothing of it is reported afterwards.
  mutating func closeStream(_ number: Int)
  /// Closes kept connections, and prefers another address of the hub's name.
  mutating func changeHub()
  /// Answered by `passwordGiven`, whenever there is one: at once from a file, later by a person, or never. Each attempt asks;
  /// what is new was reported just before.
  mutating func askPassword(isWrong: Bool)
  /// Written to disk when it returns. Blocks.
  mutating func remember(_ record: MembershipRecord)
  /// Mutes exactly these tracks at their sources.
  mutating func mute(_ tracks: Set<TrackKind>)
  /// Shows the screen in place of the camera, or the camera again. Answered by `screenSwitched`.
  mutating func showScreen(_ isShown: Bool)
  /// An output at the session publishes there, now or with its next connection.
  mutating func publish(_ rendition: Session.Rendition, to address: String)
  mutating func unpublish(_ rendition: Session.Rendition)
  /// Ends the broadcast in order: the session is over.
  mutating func endBroadcast()
  mutating func report(_ report: MembershipReport)
  mutating func show(_ snapshot: MembershipSnapshot)
}
