import HoldfastMediaModel
import HoldfastSession
import TestRandomness
import Testing

@testable import HoldfastMembership

@Suite struct RecordAndReportTests {
  private static func full() -> MembershipRecord {
    var record = MembershipRecord(key: "key")
    record.member = Session.Member.ID("abcdefghijklmnop")
    record.hasBeenIn = true
    (record.lease, record.proof, record.version) = ("lease", "proof", "7")
    record.mutedBySelf = [.audio]
    record.mutedByOthers = [.audio, .video]
    record.lifted = [.video]
    record.asked = [.audio]
    record.unmuted = [.video]
    record.ingest = [.main: "rtmp://host/live/x?key=y", .small: "rtmp://host/live/x-small?key=z"]
    return record
  }

  @Test func `a record is read as it was written`() {
    #expect(MembershipRecord(MembershipRecord(key: "key").json) == MembershipRecord(key: "key"))
    for verdict: MembershipRecord.Verdict? in [
      nil, .superseded, .left, .over(nil), .over(.ended), .over(.time), .over(.empty),
    ] {
      var record = Self.full()
      record.verdict = verdict
      #expect(MembershipRecord(record.json) == record)
    }
  }

  @Test(arguments: [
    "null", "[]", "{}", #"{"form":2,"key":"a"}"#, #"{"form":1}"#, #"{"form":1,"key":""}"#,
    #"{"form":1,"key":"a","bySelf":["smell"]}"#, #"{"form":1,"key":"a","verdict":"odd"}"#,
  ])
  func `what is no record is not read`(text: String) throws {
    let json = try JSONValue(reading: Array(text.utf8).span)
    #expect(MembershipRecord(json) == nil)
  }

  @Test func `a new broadcast is the same member, with nothing of the last one in force`() {
    let record = Self.full().forNewBroadcast(newKey: "new")
    #expect(record.key == "key" && record.proof == "proof" && record.member != nil)
    #expect(record.mutedBySelf == [] && record.ingest == [:] && record.lease == nil)
    var over = Self.full()
    over.verdict = .over(.ended)
    #expect(over.forNewBroadcast(newKey: "new") == MembershipRecord(key: "new"))
  }

  // MARK: - Failures

  @Test func `each refusal of the rules has a remedy that a member may need`() {
    let remedies: [(Session.Refusal, HubFailure.Remedy)] = [
      (.noSuchSession, .awaitSession), (.locked, .awaitSession), (.full, .awaitSession),
      (.tokenFull, .awaitSession), (.leaseOver, .join),
      (.superseded, .goOnAlone), (.removed, .leaveAndAskAgain), (.sessionOver(.ended), .endBroadcast(.ended)),
      (.sessionOver(.time), .endBroadcast(.time)), (.sessionOver(.empty), .join),
      (.passwordNeeded, .askPassword(isWrong: false)), (.passwordWrong, .askPassword(isWrong: true)),
      (.recovering, .retry), (.mutedByOthers, .retrySlowly), (.notAllowed(.join), .retrySlowly),
    ]
    // Of a hub with another secret.
    #expect(HubFailure.refused(403, "leaseForged").remedy == .join)
    for (refusal, remedy) in remedies { #expect(TestHub.failure(refusal).remedy == remedy, "\(refusal)") }
  }

  @Test(arguments: [
    (503, "storeAway", true), (429, "tooManyFailures", true), (500, "odd", true), (502, "odd", true),
    (401, "tokenExpired", false), (404, "notFound", false), (400, "odd", false), (409, "odd", false),
  ])
  func `other refusals are tried again, soon or seldom`(status: Int, code: String, isSoon: Bool) {
    #expect(HubFailure.refused(status, code).remedy == (isSoon ? .retry : .retrySlowly))
    #expect(HubFailure.refused(status, code).answersCommand == (status == 400 || status == 409))
  }

  @Test func `a refusal is read from what a hub sends`() throws {
    let text = #"{"error":{"code":"sessionOver","message":"over","hint":"none","why":"time"}}"#
    let json = try JSONValue(reading: Array(text.utf8).span)
    let refusal = try #require(HubRefusal(409, json, retryAfter: .seconds(3)))
    #expect(refusal.end == .time && refusal.retryAfter == .seconds(3) && refusal.hint == "none")
    #expect(HubRefusal(502, .text("<html>")) == nil)
    #expect(HubRefusal(502, ["error": ["code": "odd"]]) == nil)
  }

  // MARK: - Delays

  @Test func `delays grow from 1 to 15 seconds and are never the same`() {
    var randomness = SplitMix64(seed: 3)
    let policy = HubRetryPolicy()
    for (failures, range) in [(1, 1.0...5.0), (2, 5.0...10.0), (3, 7.5...15.0), (50, 7.5...15.0)] {
      let delays = (0..<200).map { _ in policy.delay(afterFailures: failures, using: &randomness).seconds }
      #expect(delays.allSatisfy { range.contains($0) })
      let middle = (range.lowerBound + range.upperBound) / 2
      #expect((60...140).contains(delays.filter { $0 < middle }.count))
    }
  }

  @Test func `beats keep their interval, give or take a fifth`() {
    var randomness = SplitMix64(seed: 3)
    let delays = (0..<200).map { _ in HubRetryPolicy().beatDelay(.seconds(5), using: &randomness).seconds }
    #expect(delays.allSatisfy { (4...6).contains($0) })
    #expect(delays.contains { $0 < 4.3 } && delays.contains { $0 > 5.7 })
  }

  @Test func `wrong passwords are free five times, then wait longer and longer, a minute at most`() {
    let policy = HubRetryPolicy()
    let delays = [0, 4, 5, 6, 9, 40].map { policy.passwordDelay(afterWrong: $0).seconds }
    #expect(delays == [0, 0, 1, 2, 16, 60])
  }

  // MARK: - Reports

  private static func reports() throws -> [MembershipReport] {
    let id = try #require(Session.Member.ID("abcdefghijklmnop"))
    let refusal = HubRefusal(409, "locked", "the session is locked", hint: "ask the host to unlock it")
    return [
      .joined(id, .participant), .waiting(.leaseOver), .waiting(.hubAway(.lost)),
      .waiting(.password(isWrong: false)), .waiting(.password(isWrong: true)),
      .waiting(.sessionAway(refusal)), .waiting(.removed),
      .waiting(.refused(HubRefusal(401, "tokenExpired", "the token has expired"))), .hubBack, .superseded,
      .over(nil), .over(.time), .left, .roleChanged(.host), .mutedByOthers([.audio]), .mutedByOthers([]),
      .unmuteAsked([.video, .audio]), .mayUnmute([.video]), .endsAt(WallTime(nanoseconds: 0)), .endsAt(nil),
      .othersReady(2), .answered(.ready, id: "1", .done), .answered(.ready, id: "1", .replaced),
      .answered(.mute([.audio]), id: "1", .refused(refusal)),
    ]
  }

  @Test func `reports are lines with names and fields that stay`() throws {
    let lines = try Self.reports().map {
      JSONValue.object([.init("event", .text($0.name))] + $0.fields).description
    }
    #expect(
      [0, 2, 16, 23].map { lines[$0] } == [
        #"{"event":"session","state":"joined","member":"abcdefghijklmnop","role":"participant","code":null,"why":null}"#,
        #"{"event":"session","state":"hubAway","member":null,"role":null,"code":"unreachable","why":"the hub can't be reached: connection refused"}"#,
        #"{"event":"unmuteAsked","tracks":["audio","video"]}"#,
        #"{"event":"sessionCommand","command":"mute","requestId":"1","state":"refused","code":"locked","why":"the session is locked"}"#,
      ])
    #expect(lines[11].contains(#""state":"over""#) && lines[11].contains(#""code":"time""#))
  }

  @Test func `every report that is not just an answer has words for the operator`() throws {
    for report in try Self.reports() {
      switch report {
      case .answered(_, _, .done), .answered(_, _, .replaced): #expect(report.text == nil)
      default: #expect((report.text ?? "").count > 10, "\(report)")
      }
    }
    let text = try Self.reports().compactMap(\.text).joined(separator: "\n")
    #expect(text.contains("video and audio"))
    #expect(!text.contains("lease over") && !text.contains("nil"), "\(text)")
  }

  @Test func `what needs somebody to act is an error, and nothing else is`() throws {
    let errors = try Self.reports().filter { $0.importance == .error }.map(\.name)
    #expect(errors == ["session", "session", "session"])
    #expect(MembershipReport.superseded.importance == .error)
    #expect(MembershipReport.waiting(.hubAway(.lost)).importance == .warning)
  }

  @Test func `status shows the member`() throws {
    var story = try MembershipStory()
    try story.join()
    let now = Instant(
      monotonic: story.now + .seconds(3), sinceBoot: .zero, wall: WallTime(nanoseconds: 10_000_000_000))
    #expect(
      story.machine.snapshot.json(at: now).description
        == #"{"url":"https://hub/Hall","state":"joined","member":"abcdefghijklmnop","role":"participant","muted":[],"mutedByOthers":[],"unmuteAsked":[],"endsAt":null,"othersReady":0,"lastHeard":"1970-01-01T00:00:07.000Z","why":null}"#
    )
  }
}
