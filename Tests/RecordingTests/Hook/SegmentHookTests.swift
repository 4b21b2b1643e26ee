import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRecording

@Suite(.realTime) struct SegmentHookTests {
  private let folder = ScratchFolder()
  private let events = Reports<SegmentHook.Event>()

  /// Retries come at once.
  private func hook(
    _ command: String, _ paths: [String] = [], broadcast: String = "id", environment: [String: String] = [:],
    change: (inout SegmentHookSettings) -> Void = { _ in }
  ) throws -> SegmentHook {
    var settings = SegmentHookSettings(
      command, name: "cam",
      environment: ["PATH": "/usr/bin:/bin", "OUT": folder.path].merging(environment) { $1 })
    settings.delays = [.milliseconds(1), .milliseconds(2), .milliseconds(3)]
    change(&settings)
    let hook = try SegmentHook(settings) { [events] in events.add($0) }
    try hook.begin()
    for path in paths { hook.offer(path: path, broadcast: broadcast) }
    return hook
  }

  /// A hook that has run for `paths`.
  @discardableResult
  private func run(
    _ command: String, _ paths: [String] = [], broadcast: String = "id", environment: [String: String] = [:],
    change: (inout SegmentHookSettings) -> Void = { _ in }
  ) throws -> SegmentHook {
    let hook = try hook(command, paths, broadcast: broadcast, environment: environment, change: change)
    hook.finish(within: .seconds(30))
    return hook
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: folder.file(name), encoding: .utf8)) ?? ""
  }

  @Test func `the command gets the file, the name and the broadcast`() throws {
    try run(
      #"printf '%s\n' "$1" "$HOLDFAST_RECORDING" "$HOLDFAST_NAME" "$HOLDFAST_BROADCAST" "$#" > "$OUT/told""#,
      ["/srv/a b.mp4"])
    #expect(text("told") == "/srv/a b.mp4\n/srv/a b.mp4\ncam\nid\n1\n")
    #expect(events.all == [.succeeded(path: "/srv/a b.mp4")])
  }

  @Test func `the command does not get holdfast's own settings and keys`() throws {
    try run(
      #"env | grep -cE 'secret|NOTIFY' > "$OUT/told""#, ["a"],
      environment: ["HOLDFAST_TO": "secret", "NOTIFY_SOCKET": "/x", "NOTIFYX": "y"])
    #expect(text("told") == "1\n")
  }

  @Test func `commands run one after another, in order`() throws {
    let paths = (0..<8).map { "/\($0)" }
    try run(#"mkdir "$OUT/busy" && sleep 0.01 && echo "$1" >> "$OUT/order" && rmdir "$OUT/busy""#, paths)
    #expect(events.all == paths.map { .succeeded(path: $0) })
    #expect(text("order") == paths.map { $0 + "\n" }.joined())
  }

  @Test func `a failing command is retried three times, then reported with its last line`() throws {
    let hook = try run("echo try >> $OUT/tries; echo first; echo no route >&2; exit 7", ["a"])
    let reason = "exit status 7: no route"
    #expect(
      events.all
        == (1...3).map { .failed(path: "a", reason: reason, retryIn: .milliseconds($0)) }
        + [.gaveUp(path: "a", reason: reason)])
    #expect((text("tries"), hook.unfinished) == (String(repeating: "try\n", count: 4), ["a"]))
  }

  @Test func `a command that succeeds on the second attempt counts as done`() throws {
    let hook = try run(#"[ -e "$OUT/once" ] || { touch "$OUT/once"; exit 1; }"#, ["a"])
    let failed = SegmentHook.Event.failed(path: "a", reason: "exit status 1", retryIn: .milliseconds(1))
    #expect(events.all == [failed, .succeeded(path: "a")])
    #expect(hook.unfinished == [])
  }

  @Test func `a command that hangs is ended, and the next ones run`() throws {
    let hook = try hook(#"[ "$1" = /b ] || sleep 60"#, ["/a", "/b"]) {
      $0.limit = .milliseconds(30)
      $0.delays = []
    }
    #expect(events.wait { !$0.isEmpty })
    hook.finish(within: .seconds(30))
    #expect(
      events.all == [.gaveUp(path: "/a", reason: "it took longer than 0:00:00.030"), .succeeded(path: "/b")])
  }

  @Test func `a command running at the end is left running, and reported`() throws {
    let hook = try hook(
      #"touch "$OUT/began"; while [ ! -e "$OUT/go" ]; do sleep 0.01; done; echo x; touch "$OUT/done""#,
      ["a", "b"])
    #expect(eventually { fileExists(folder.file("began")) })
    hook.finish(within: .milliseconds(50))
    #expect(events.all == [.leftRunning(path: "a"), .notRun(path: "b")])
    #expect(hook.unfinished == ["a", "b"])
    _ = try folder.write("", to: "go")
    #expect(eventually { fileExists(folder.file("done")) })
  }

  @Test func `finishing does not wait for a retry that comes too late`() throws {
    let hook = try hook("exit 1", ["a"]) { $0.delays = [.seconds(3600)] }
    #expect(events.wait { !$0.isEmpty })
    hook.finish(within: .seconds(30))
    #expect(events.all.last == .gaveUp(path: "a", reason: "exit status 1"))
  }

  @Test func `an offer never blocks, and an overflow is reported`() throws {
    let hook = try hook("exec sleep 60", (0..<5).map { "\($0)" }) { $0.maxQueue = 2 }
    hook.finish(within: .zero)
    #expect(hook.unfinished == ["0", "1", "2", "3", "4"])
    #expect(events.all.contains(.notRun(path: "4")))
  }

  @Test func `a hook with nothing to do finishes at once`() throws {
    try hook("exit 0").finish(within: .seconds(3600))
    #expect(events.all == [])
  }

  @Test func `unfinished commands run after the next start`() throws {
    let path = try folder.write("", to: "left.mp4")
    try run("exit 1", [path, folder.file("gone.mp4")], broadcast: "one", change: ledger)
    try run(#"echo "$1 $HOLDFAST_BROADCAST" >> "$OUT/told""#, change: ledger)
    #expect(text("told") == "\(path) one\n")
    #expect(try run("exit 1", change: ledger).unfinished == [])
  }

  private var ledger: (inout SegmentHookSettings) -> Void {
    { [folder] in $0.ledger = folder.file("ledger") }
  }

  private var jobs: [SegmentHook.Job] { SegmentHookLedger.jobs(in: folder.file("ledger")) }

  @Test func `a file that is finished while a retry waits is on disk at once`() throws {
    let paths = try ["a", "b", "c"].map { try folder.write("", to: $0) }
    let hook = try hook("exit 1", [paths[0]], broadcast: "one") {
      ledger(&$0)
      $0.delays = [.seconds(3600)]
    }
    #expect(events.wait { !$0.isEmpty })
    for path in paths.dropFirst() { hook.announce(path: path, broadcast: "two") }
    // A slow disk is not waited for; the command itself would wait an hour.
    #expect(eventually { jobs.map(\.path) == paths })
    #expect(jobs.map(\.broadcast) == ["one", "two", "two"] && jobs.map(\.hasBegun) == [true, false, false])
    #expect(hook.unfinished == paths)
    hook.finish(within: .zero)
  }

  @Test func `a command that may have run for a file is told`() throws {
    let told = #"echo "$1 $HOLDFAST_REPEATED" >> "$OUT/told""#
    let (begun, fresh) = (try folder.write("", to: "begun"), try folder.write("", to: "fresh"))
    try run(told + "; exit 1", [begun], change: ledger)
    #expect(text("told") == "\(begun) \n" + String(repeating: "\(begun) 1\n", count: 3))
    try run(told, [fresh], change: ledger)
    #expect(text("told").hasSuffix("\(begun) 1\n\(fresh) \n") && jobs.isEmpty)
  }

  @Test
  func `what was announced runs after the next start if it was finished, and when it is if it is continued`()
    throws
  {
    let paths = try ["finished", "torn", "resumed"].map { try folder.write("", to: $0) }
    let first = try hook("exit 0", change: ledger)
    for path in paths { first.announce(path: path, broadcast: "id") }
    first.finish(within: .zero)
    #expect(jobs.map(\.path) == paths)
    var settings = SegmentHookSettings("exit 0", name: "cam", environment: [:])
    ledger(&settings)
    let second = try SegmentHook(settings) { [events] in events.add($0) }
    try second.begin(keeping: paths[2]) { $0 == paths[0] }
    #expect(events.wait { !$0.isEmpty })
    #expect(second.unfinished == [paths[2]])
    second.offer(path: paths[2], broadcast: "id")
    second.finish(within: .seconds(30))
    #expect(events.all == [.succeeded(path: paths[0]), .succeeded(path: paths[2])])
    #expect(jobs.isEmpty)
  }

  @Test func `a file that is finished twice gets the command for its last state`() throws {
    let hook = try hook(#"while [ ! -e "$OUT/go" ]; do sleep 0.01; done; echo "$1" >> "$OUT/told""#)
    for _ in 0..<2 { hook.offer(path: "/a", broadcast: "") }
    _ = try folder.write("", to: "go")
    hook.finish(within: .seconds(30))
    #expect(text("told") == "/a\n/a\n" && hook.unfinished.isEmpty)
  }

  @Test(arguments: [[], [0], [0x61], [0, 0, 0], [0x2F, 0, 0x62], Array("/\0one\0/tmp".utf8)] as [[UInt8]])
  func `a torn or empty ledger does no harm`(bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder.file("ledger")))
    #expect(try run("exit 0", change: ledger).unfinished == [])
  }

  @Test func `an unwritable ledger is reported`() throws {
    try run("exit 0", ["a"]) { $0.ledger = "/nowhere/ledger" }
    let errors = events.all.compactMap { if case .ledgerFailed(let error) = $0 { error.code } else { nil } }
    #expect(errors.contains(ENOENT))
    #expect(events.all.contains(.succeeded(path: "a")))
  }
}
