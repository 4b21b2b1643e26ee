import HoldfastLifecycle
import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite struct RightsTests {
  /// Who may do what, as the documentation promises it, written down apart from the rules: h host, m manager,
  /// p participant; H, P, W, O, L the tokens of a host, a participant, a worker, an operator, and the local user.
  private static let allowed: [(callers: String, ofOthers: Bool, words: [Session.Command.Word])] = [
    ("HPWL", false, [.join]),
    ("hmpHPWOL", false, [.report, .reclaim]),
    ("hmpHPL", false, [.rename, .mute, .unmute, .answer, .share, .unshare, .ready, .event, .leave]),
    ("hmHL", true, [.rename, .remove, .mute, .unmute, .muteAll, .lockScreens, .unlockScreens]),
    ("hHL", true, [.host, .manager, .revoke, .readmit, .lock, .unlock]),
    ("hHL", true, [.password, .limit, .extend, .live, .offAir]),
    ("hHOL", true, [.end]),
    ("WL", true, [.take, .work]),
  ]

  private static let callers = "hmpHPWOL"

  private func caller(_ letter: Character, _ story: SessionStory) -> Session.Caller {
    switch letter {
    case "h": story.caller("Anna")
    case "m": story.caller("Max")
    case "p": story.caller("Right")
    case "H": .token(Session.Credential(.host, token: "t"))
    case "P": .token(Session.Credential(.participant, token: "t"))
    case "W": .token(Session.Credential(.worker, token: "t"))
    case "O": .token(Session.Credential(.operator, token: "t"))
    default: .token(Session.Credential(.local))
    }
  }

  @Test func `every command by every role and token is allowed exactly as the table says`() throws {
    let rows = Self.allowed.flatMap { row in row.words.map { (row.callers, row.ofOthers, $0) } }
    #expect(Set(rows.map { $0.2 }) == Set(Session.Command.Word.allCases))
    let story = SessionStory.busy
    for (allowed, ofOthers, word) in rows {
      for letter in Self.callers {
        let kind: Session.Member.Kind = letter == "W" ? .programme : .box
        let command = try story.sample(word, ofOthers: ofOthers, joiningAs: kind)
        #expect(command.word == word)
        var story = story
        let outcome = story.apply(command, by: caller(letter, story))
        let isAllowed = if case .notAllowed = outcome.refusal { false } else { true }
        let isRight = isAllowed == allowed.contains(letter)
        #expect(isRight, "\(word.rawValue) of others \(ofOthers) by \(letter): \(outcome)")
      }
    }
  }

  @Test func `what is refused changes nothing`() throws {
    let story = SessionStory.busy
    for word in Session.Command.Word.allCases {
      for letter in Self.callers {
        var after = story
        guard after.apply(try story.sample(word), by: caller(letter, story)).refusal != nil else { continue }
        #expect(after.session == story.session, "\(word.rawValue) by \(letter)")
      }
    }
  }

  @Test(arguments: Session.Command.Word.allCases)
  func `nothing is taken by an old lease, nor in a session that is over`(word: Session.Command.Word) throws {
    var story = SessionStory.busy
    let command = try story.sample(word)
    let old = ["Anna", "Max", "Left", "Right"].map { story.caller($0) }
    for name in ["Anna", "Max", "Left", "Right"] { story.rejoin(name) }
    for why in [Session.Refusal.superseded, .sessionOver(.ended)] {
      let before = story.session
      for caller in old {
        let refusal = story.apply(command, by: caller).refusal
        #expect(refusal == (word == .join ? .notAllowed(.join) : why))
      }
      #expect(story.session == before)
      story.apply(.end, by: "Anna")
    }
  }

  @Test func `without a lease a token gives for a member only what the list says`() throws {
    let story = SessionStory.busy
    let (id, token) = (story.id("Max"), Session.Credential(.host, token: "token of Max"))
    for word in Session.Command.Word.allCases where word != .join {
      for ofOthers in [false, true] {
        var story = story
        let command = try story.sample(word, ofOthers: ofOthers)
        let refusal = story.apply(command, by: .token(token, as: id)).refusal
        let mayGive =
          [.reclaim, .ready, .answer, .share, .unshare, .leave].contains(word)
          || [.mute, .unmute].contains(word) && !ofOthers
        let isAllowed = Session.Standing.host.permissions.contains(.work) || ![.take, .work].contains(word)
        #expect((refusal == .leaseNeeded) == (!mayGive && isAllowed), "\(word.rawValue): \(refusal as Any)")
      }
    }
  }

  @Test func `a participant's token sees and sends nothing past lock and password`() throws {
    var story = SessionStory.hosted()
    story.apply(.password(Session.PasswordHash("hash")), by: "Anna")
    let event = Session.Command.event(try Session.CustomEvent(name: "cue"))
    let own = Session.Caller.token(Session.Credential(.participant, token: "token of Left"))
    func refusals() -> [Session.Refusal?] {
      [story.session.refusal(toShow: own, at: story.now), story.apply(event, by: own).refusal]
    }
    #expect(refusals() == [.memberNeeded, .memberNeeded])
    #expect(story.join("Left", with: { $0.password = .wrong }).refusal == .passwordWrong)
    #expect(refusals() == [.memberNeeded, .memberNeeded])
    #expect(story.join("Left", with: { $0.password = .right }).refusal == nil)
    #expect(refusals() == [nil, nil])
    story.apply(.leave, by: "Left")
    #expect(refusals() == [.memberNeeded, .memberNeeded])
    for standing in [Session.Standing.host, .local, .worker, .operator] {
      let other = Session.Caller.token(Session.Credential(standing, token: "other"))
      #expect(story.session.refusal(toShow: other, at: story.now) == nil, "\(standing)")
    }
  }

  @Test func `each refusal has a code, a message and what to do`() {
    let refusals: [Session.Refusal] =
      [
        .noSuchSession, .leaseOver, .superseded, .passwordNeeded, .passwordWrong, .locked, .removed, .full,
        .tokenFull, .memberNeeded, .leaseNeeded, .noSuchMember, .mayNotBeHost, .nothingToReclaim, .recovering,
        .notRemovable, .tooManyRemoved, .notRemoved, .mutedByOthers, .notAsked, .screensLocked, .onAirAlready,
        .notOnAir, .jobTaken, .timer(.noLimit), .timer(.requestUsed), .timer(.wrongLength),
        .timer(.tooManyRequests), .timer(.isOver), .timer(.limitReached(left: .seconds(3))),
      ] + Session.EndReason.allCases.map { .sessionOver($0) }
      + Session.Permission.allCases.map { .notAllowed($0) }
    for refusal in refusals {
      #expect(!refusal.code.isEmpty && !refusal.message.isEmpty && !refusal.hint.isEmpty)
      #expect(!refusal.message.hasSuffix(".") && refusal.code.allSatisfy(\.isLetter))
    }
    #expect(Set(refusals.map(\.message)).count >= refusals.count - 2)
  }
}
