import HoldfastMediaModel

@testable import HoldfastSession

extension SessionStory {
  /// Of every command one that could be carried out in a busy session that Anna hosts; of others it means the box Left.
  func sample(
    _ word: Session.Command.Word, ofOthers: Bool = true, joiningAs kind: Session.Member.Kind = .box
  ) throws -> Session.Command {
    let left = id("Left")
    let target: Session.Member.ID? = ofOthers ? left : nil
    return switch word {
    case .join:
      .join(Session.Join(key: "new key", name: try Session.DisplayName("New"), kind: kind, id: Self.id(500)))
    case .report: .report(Session.Member.Report())
    case .rename: .rename(target, try Session.DisplayName("Renamed"))
    case .host: .host(id("Max"))
    case .reclaim: .reclaim
    case .manager: .manager(left)
    case .revoke: .revoke(id("Max"))
    case .remove: .remove(left)
    case .readmit: .readmit(id("Gone"))
    case .mute: .mute(target, [.audio])
    case .unmute: .unmute(target, [.audio])
    case .answer: .answer(true)
    case .muteAll: .muteAll([.audio])
    case .lock: .lock
    case .unlock: .unlock
    case .lockScreens: .lockScreens
    case .unlockScreens: .unlockScreens
    case .share: .share
    case .unshare: .unshare
    case .password: .password(Session.PasswordHash("hash"))
    case .limit: .limit(.seconds(3600))
    case .extend: .extend(.seconds(600), request: "request")
    case .ready: .ready
    case .event: .event(try Session.CustomEvent(name: "cue"))
    case .live: .live(try Session.JobOrder(id: "job", broadcast: "b", outputs: ["rtmp://a/b"]))
    case .offAir: .offAir
    case .take: .take(job: "job", worker: "worker")
    case .work:
      .work(
        session.meeting?.job?.holder?.lease ?? Session.Lease(epoch: 1, sequence: 1),
        try Session.WorkReport(.live))
    case .leave: .leave
    case .end: .end
    }
  }
}
