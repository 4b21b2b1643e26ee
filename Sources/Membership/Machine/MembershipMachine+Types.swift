package import HoldfastMediaModel
package import HoldfastSession

extension MembershipMachine {
  package struct Settings: Hashable, Sendable {
    /// The session's address, for people.
    package var address: String
    package var name: Session.DisplayName
    package var kind = Session.Member.Kind.box
    package var wants: Set<Session.JoinRequest.Want> = [.ingest]
    package var password: String?
    /// Whoever asks the member to unmute gets a yes.
    package var allowsUnmute = false
    package var afterSession = AfterSession.endBroadcast
    /// The broadcast was begun by an earlier process, as whose membership this one goes on.
    package var continues = false
    /// An earlier process had the broadcast, and may have sent a join that its record does not know of.
    package var resumes = false
    /// At the sources, when the membership begins. What the record does not explain was muted on this box.
    package var muted: Set<TrackKind> = []
    package var retries = HubRetryPolicy()

    package init(address: String, name: Session.DisplayName) {
      self.address = address
      self.name = name
    }
  }

  /// What the broadcast does when the session was ended, or its time is over.
  package enum AfterSession: String, Hashable, Sendable, CaseIterable {
    case endBroadcast = "end"
    /// Only the outputs at the session close.
    case goOn = "go-on"
  }

  /// What is asked for on the box. Its own mutes are among it, whoever makes them there.
  package enum Order: Hashable, Sendable {
    case mute(Set<TrackKind>)
    case unmute(Set<TrackKind>)
    /// To the question of others whether the member unmutes.
    case answer(Bool)
    case rename(Session.DisplayName)
    /// To show the screen in place of the camera, which the box does already; or no longer.
    case share(Bool)
    case ready
  }

  package enum Event: Hashable, Sendable {
    case started
    /// `nextDeadline` has passed.
    case timePassed
    case networkChanged

    /// By the box: how its broadcast is, and what is muted there.
    case reported(Session.Member.Report)
    /// What others may see besides.
    case measured(JSONValue)
    /// By the box: what its operator does with the screen.
    case screenShown(Bool)
    /// The outcome of `showScreen`: what is shown now.
    case screenSwitched(isShown: Bool)
    case sourcesOpened
    case ordered(Order, id: String)
    case passwordGiven(String)
    /// The session goes on without the member, and the broadcast without the session.
    case leaveRequested
    /// Also leaves, if the member is still in.
    case broadcastEnded
    /// The broadcast goes on under another id, which is kept with the record.
    case broadcastRenewed

    // Outcomes, with the number of the request or of the stream.
    case joined(Int, Session.JoinAnswer)
    case beaten(Int, Session.BeatAnswer)
    case commanded(Int)
    case left(Int)
    case failed(Int, HubFailure)
    case streamOpened(Int)
    case streamed(Int, HubEvent)
    case streamClosed(Int, HubFailure)
  }

  /// What a hub is asked.
  package enum Request: Hashable, Sendable {
    case join(Session.JoinRequest)
    case beat(lease: String, Session.BeatRequest)
    case command(lease: String, Session.CommandRequest)
    case leave(lease: String)
  }

  package enum Action: Hashable, Sendable {
    /// Before everything else that depends on it.
    case remember(MembershipRecord)
    case send(Int, Request)
    case openStream(Int, lease: String, after: String)
    case closeStream(Int)
    /// The hub stops: requests go to another one of the address.
    case changeHub
    case askPassword(isWrong: Bool)
    /// Exactly these tracks are muted.
    case mute(Set<TrackKind>)
    /// The screen in place of the camera, or the camera again. Answered by `screenSwitched`.
    case showScreen(Bool)
    /// An output at the session, which keeps its name when its address changes.
    case publish(Session.Rendition, to: String)
    case unpublish(Session.Rendition)
    case endBroadcast
    case report(MembershipReport)
  }

  enum State: Hashable {
    case idle
    case joining(Joining)
    case joined(Joined)
    case leaving(Leaving)
    /// Another one came with the same key: never back by itself.
    case superseded
    /// Nil where the hub did not say why.
    case over(Session.EndReason?)
    case left
    case finished
  }

  /// On the way in, for the first time or again.
  struct Joining: Hashable {
    var step: Step
    var obstacle: Obstacle?
    /// What the last join was sent with.
    var password: String?
    var failures = 0
    /// Different ones, since the last one that was right.
    var wrongPasswords = 0

    enum Step: Hashable {
      case waiting(until: MonotonicTime)
      case asking(Int)
    }
  }

  struct Joined: Hashable {
    let member: Session.Member.ID
    var place: Session.MemberPlace
    let since: MonotonicTime
    var channel = Channel.idle
    var beatDue: MonotonicTime
    var lastBeat: MonotonicTime?
    /// What the hub has heard last.
    var reported: Session.Member.Report?
    var statistics: JSONValue?
    /// When a command may be repeated that had no answer.
    var commandDue: MonotonicTime
    /// Since the last request that had a result.
    var trouble: Trouble?
    var stream: Stream
    /// The last event that was seen.
    var seen: EventID?
    /// Why the session is over, once its stream has said so.
    var end: Session.EndReason?
  }

  /// Requests without a result.
  struct Trouble: Hashable {
    var count: Int
    var last: HubFailure
    var isReported = false
  }

  /// One request at a time, so that answers come in the order of what was asked.
  enum Channel: Hashable {
    case idle
    case beating(Int, Session.BeatRequest)
    case commanding(Int)
  }

  enum Stream: Hashable {
    case closed(until: MonotonicTime, failures: Int)
    case opening(Int, failures: Int)
    case open(Int)
  }

  struct Leaving: Hashable {
    let deadline: MonotonicTime
    var step: Step
    /// Whether the broadcast has ended, too.
    var isLast: Bool

    enum Step: Hashable {
      /// The answer to a join or a beat is still to come.
      case finishing(Int, lease: String?)
      case leaving(Int, lease: String)
      case waiting(until: MonotonicTime, lease: String)
    }
  }

  /// Whether a hub has been heard within a lease.
  enum Contact: Hashable {
    case heard(MonotonicTime)
    /// What others muted is the member's to lift.
    case alone(since: MonotonicTime)
  }
}
