import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastPublishing
import HoldfastSession
import TestSupport
import TestTraits
import Testing

@testable import HoldfastBroadcasting
@testable import HoldfastSessionClient

/// A box whose hub is away: what follows from its broadcasts, and from what it kept.
@Suite(.realTime) final class MembershipLinkTests {
  private static let hub = "http://127.0.0.1:1/Hall"

  private let scratch = ScratchFolder()
  private let broadcaster: Broadcaster
  private let records: MembershipRecords
  private let link: MembershipLink

  init() throws {
    broadcaster = Broadcaster(Configuration(), observe: { _ in }, finish: { _ in })
    let place = HubRequests.Place(try HTTPAddress(Self.hub), tls: TLSSettings()) { nil }
    records = MembershipRecords(folder: scratch.path, session: place.address.description)
    link = MembershipLink(
      MembershipMachine.Settings(address: Self.hub, name: try Session.DisplayName("Box")), place,
      journals: scratch.path, controlling: broadcaster, othersReady: OthersReady(), note: { _ in })
  }

  deinit { link.finish() }

  private func report(_ event: BroadcastEvent, of broadcast: String) {
    broadcaster.published.withLock { $0.status.broadcast = broadcast }
    link.observe(.event(EventLine(at: .now, broadcast: broadcast, event: event)))
  }

  private func isKept(of broadcast: String, _ record: (MembershipRecord) -> Bool = { _ in true }) -> Bool {
    eventually { records.read().map { $0.broadcast == broadcast && record($0.record) } ?? false }
  }

  /// The outputs at the session that have somewhere to publish to.
  private var outputs: Set<SessionOutput> { broadcaster.published.withLock { Set($0.sessionAddresses.keys) } }

  private static let ended = BroadcastEvent.ended(reason: .stopped, duration: .zero, gaps: 0)

  private static func record(_ change: (inout MembershipRecord) -> Void = { _ in }) -> MembershipRecord {
    var record = MembershipRecord(key: "the key")
    change(&record)
    return record
  }

  @Test func `what others muted before a crash is theirs after it, and the rest the box's`() throws {
    try records.write(Self.record { $0.mutedByOthers = [.audio] }, of: "one")
    broadcaster.published.withLock { $0.resumed = "one" }
    for track in TrackKind.allCases { broadcaster.setMuted(track, true) }
    report(.starting, of: "one")
    #expect(isKept(of: "one") { $0.mutedByOthers == [.audio] && $0.mutedBySelf == [.video] })
  }

  @Test func `the record is that of the broadcast that a preview becomes`() throws {
    try records.write(Self.record(), of: "older")
    report(.previewing, of: "preview")
    #expect(isKept(of: "preview"))
    report(.starting, of: "one")
    #expect(isKept(of: "one") { $0.key == "the key" })
  }

  @Test func `a superseded box that goes on with another broadcast stays out after a crash`() throws {
    try records.write(Self.record { $0.verdict = .superseded }, of: "one")
    broadcaster.published.withLock { $0.resumed = "one" }
    report(.starting, of: "one")
    report(.ended(reason: .windowClosed, duration: .zero, gaps: 0), of: "one")
    report(.starting, of: "two")
    #expect(isKept(of: "two") { $0.verdict == .superseded })
  }

  @Test func `the end of a broadcast closes its output, and the next one is a member anew`() throws {
    try records.write(
      Self.record {
        $0.ingest = [.main: "rtmp://media.lan/live/box", .small: "rtmp://media.lan/live/box-small"]
        $0.lease = "lease"
      }, of: "one")
    broadcaster.published.withLock { $0.resumed = "one" }
    report(.starting, of: "one")
    #expect(eventually { outputs == [.main, .small] })
    report(Self.ended, of: "one")
    #expect(eventually { outputs.isEmpty && link.snapshot?.state == "left" })
    report(.previewing, of: "preview")
    #expect(link.snapshot?.state == "left")
    report(.starting, of: "two")
    #expect(isKept(of: "two") { $0.key == "the key" && $0.lease == nil })
    #expect(eventually { link.snapshot.map { $0.state != "left" } ?? false })
  }

  @Test func `after the end of a session the next broadcast has another key`() throws {
    try records.write(Self.record { $0.verdict = .over(.ended) }, of: "one")
    broadcaster.published.withLock { $0.resumed = "one" }
    report(.starting, of: "one")
    #expect(eventually { link.snapshot?.state == "over" })
    report(Self.ended, of: "one")
    report(.starting, of: "two")
    #expect(isKept(of: "two") { $0.key != "the key" && $0.verdict == nil })
  }

  @Test func `the end of an earlier process's broadcast begins nothing`() throws {
    link.observe(.event(EventLine(at: .now, broadcast: "older", event: Self.ended, isRepeated: true)))
    link.observe(.event(EventLine(at: .now, broadcast: "older", event: .backgrounded)))
    #expect(link.snapshot == nil && records.read() == nil)
    report(.starting, of: "one")
    #expect(isKept(of: "one"))
  }

  @Test func `between two memberships mutes are the box's own`() throws {
    broadcaster.setMuted(.audio, true)
    link.order(.unmute([.audio]))
    #expect(broadcaster.tracks[.audio]?.isMuted == false)
  }
}
