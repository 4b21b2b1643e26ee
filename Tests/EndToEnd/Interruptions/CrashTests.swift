import Foundation
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// Broadcasts whose process is killed, with a real server.
@Suite(.longRealTime) struct CrashTests {
  private let folder = ScratchFolder()

  private func start(_ options: String...) throws -> CrashRun {
    try CrashRun(seed: .random(in: 0...9999), options: options, in: folder)
  }

  /// Nothing is repeated, and picture and sound stay in step.
  private func expectWhole(_ path: String, _ run: CrashRun) throws {
    let media = try ServerMedia(path: path)
    let said: Comment = "seed \(run.seed), \(path): \(media.trackStarts)\n\(run.subject.log)"
    #expect(media.stepsBack == [] && media.hasBothTracksFromTheStart, said)
    #expect(media.report.isFaultless && media.report.offsetSpread ?? 0 <= 20, "\(media.report)")
  }

  @Test
  func `a broadcast killed repeatedly remains one broadcast with one recording and one server file`() throws {
    let run = try start()
    try run.killAgainAndAgain(6)
    run.finish()
    let said: Comment = "seed \(run.seed)\n\(run.subject.log)"
    #expect(run.broadcasts.count == 1 && run.recordings.count == 1 && run.journals.count == 1, said)
    #expect(run.publishes.first == "record" && run.publishes.dropFirst().allSatisfy { $0 == "append" }, said)
    #expect(run.subject.events("live").count == 1 && run.subject.events("ended").count == 1, said)
    for path in [try run.recording(), run.serverFile] { try expectWhole(path, run) }
    let lost = try run.lostPictures().compactMap(\.self)
    // Two where there is time to encode: the soak of crashes counts them. A busy machine encodes later.
    #expect(!lost.isEmpty && lost.allSatisfy { $0 <= 30 }, "\(lost)\n\(run.subject.log)")
    let (told, missing) = (run.reportedGaps, try run.missing())
    #expect(!missing.isEmpty && abs(told.reduce(0, +) - missing.reduce(0, +)) <= 0.067, said)
    #expect(run.subject.events("ended").first?["gaps"] as? Int == told.count + run.otherGaps, said)
  }

  @Test func `a gap that was journaled right before a kill is reported by the next start`() throws {
    let run = try start()
    try run.subject.interrupt()
    try run.subject.resume()
    // A busy machine has others.
    func gaps() -> [[String: Any]] { run.subject.events("gap").filter { $0["cause"] as? String == "user" } }
    #expect(eventually { gaps().count == 1 }, "\(run.subject.log)")
    // On a slow disk the user's last word may be on its way for longer.
    let word = folder.file("state/holdfast/holdfast/off-air")
    func isBack() throws -> Bool { try String(contentsOfFile: word, encoding: .utf8).contains("resumed") }
    #expect(try eventually(isBack), "\(run.subject.log)")
    run.kill()
    let id = try #require(gaps().first?["id"] as? String)
    // As if the kill had come before the event.
    let lines = try String(contentsOfFile: folder.file("events"), encoding: .utf8).split(separator: "\n")
    let others = lines.filter { !$0.contains(#""event":"gap""#) || !$0.contains(#""cause":"user""#) }
      .map { $0 + "\n" }.joined()
    _ = try folder.write(others, to: "events")
    try run.restart()
    #expect(run.subject.reports("resumed", times: 2), "\(run.subject.log)")
    let repeated = gaps().filter { $0["repeated"] as? Bool == true }
    #expect(repeated.map { $0["id"] as? String } == [id], "\(run.subject.log)")
    run.finish()
    #expect(run.subject.events("gap").count { $0["id"] as? String == id } == 1, "\(run.subject.log)")
  }

  @Test func `an end that was journaled right before a kill is reported by the next start, once`() throws {
    func broadcast() throws -> HoldfastSubject {
      let subject = try HoldfastSubject(options: ["--duration", "1s"], in: folder)
      subject.waitForEnd()
      return subject
    }
    let first = try #require(try broadcast().events("ended").first)
    let place = folder.file("state/holdfast/holdfast")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: place).first { $0.hasSuffix(".jsonl") })
    let journal = try String(contentsOfFile: "\(place)/\(name)", encoding: .utf8).split(separator: "\n")
    #expect(journal.last?.contains(#""event":"reported""#) ?? false)
    try (journal.dropLast().joined(separator: "\n") + "\n").write(
      toFile: "\(place)/\(name)", atomically: false, encoding: .utf8)
    var repeated: [[String: Any]] = []
    for _ in 1...2 {
      _ = try folder.write("", to: "events")
      repeated += try broadcast().events("ended").filter { $0["repeated"] as? Bool == true }
    }
    try #require(repeated.count == 1)
    for key in ["broadcast", "reason", "durationMs", "gaps"] {
      #expect("\(repeated[0][key] ?? "")" == "\(first[key] ?? "")")
    }
  }

  @Test func `truncated ends of the recording and of the journal do no harm`() throws {
    let run = try start()
    run.kill()
    let journal = try #require(run.journals.last)
    for (path, text) in [(try run.recording(), "\0\0\u{1}\0moof\0\0"), (journal, #"{"event":"li"#)] {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }
    try run.restart()
    run.finish()
    #expect(run.broadcasts.count == 1 && run.recordings.count == 1, "\(run.subject.log)")
    #expect(run.publishes == ["record", "append"])
    try expectWhole(try run.recording(), run)
  }

  @Test(
    arguments: [("30s", 0, ["--after-crash", "new"]), ("1s", 1_500_000, [])] as [(String, UInt32, [String])])
  func `a new broadcast starts on request or after the window, and the old recording is whole`(
    window: String, pause: UInt32, options: [String]
  ) throws {
    let run = try start("--resume-window", window)
    run.kill()
    usleep(pause)
    try run.restart(with: options)
    #expect(run.subject.reports("live", times: 2))
    run.finish()
    #expect(run.broadcasts.count == 2 && run.recordings.count == 2, "\(run.subject.log)")
    #expect(run.publishes == ["record", "record"] && run.subject.events("resumed").isEmpty)
    #expect(run.subject.values("reason", of: "ended") == ["crash", "stopped"])
    for path in run.recordings { try expectWhole(path, run) }
  }

  @Test func `a broadcast interrupted at a kill is resumed on request, and its gap is the interruption's`()
    throws
  {
    let run = try start()
    try run.subject.interrupt()
    usleep(500_000)
    run.kill()
    try run.restart()
    #expect(run.subject.reports("interrupted", times: 2), "\(run.subject.log)")
    try run.subject.ctl("resume")
    #expect(run.subject.reports("resumed"), "\(run.subject.log)")
    run.finish()
    let gaps = run.subject.events("gap").filter { !($0["output"] is String) }
    let causes = Set(gaps.compactMap { $0["cause"] as? String })
    #expect(causes.contains("user") && !causes.contains("crash"), "\(run.subject.log)")
    let (told, missing) = (run.reportedGaps, try run.missing())
    #expect(told.count == 1 && abs(told.reduce(0, +) - missing.reduce(0, +)) <= 0.067)
    try expectWhole(try run.recording(), run)
  }

  @Test func `a journal that cannot be written is reported and does no harm`() throws {
    let options = ["--audio", "off", "--duration", "1s"]
    let run = try FinishedBroadcast(options, in: folder, environment: ["XDG_STATE_HOME": "/proc"])
    #expect(folder.recordings == [run.path] && run.errors.contains("no journal, so"), "\(run.errors)")
  }

  @Test func `a resumed broadcast is reported to systemd as ready`() throws {
    let run = try start()
    run.kill()
    let manager = try NotifySocket()
    try run.restart(environment: manager.environment)
    #expect(try manager.hears("READY=1"), "\(run.subject.log)")
    run.finish(after: 0)
  }

  @Test func `a broadcast whose recording is gone resumes in a new part`() throws {
    let run = try start()
    run.kill()
    let first = try run.recording()
    try FileManager.default.removeItem(atPath: first)
    try run.restart()
    run.finish()
    #expect(run.broadcasts.count == 1, "\(run.subject.log)")
    #expect(run.recordings == [first.replacingOccurrences(of: ".mp4", with: "-2.mp4")])
    try expectWhole(try run.recording(), run)
  }

  @Test func `tracks that differ from before are recorded in a new part`() throws {
    let run = try start()
    run.kill()
    try run.restart(with: ["--audio-codec", "opus"])
    run.finish()
    #expect(run.broadcasts.count == 1 && run.recordings.count == 2, "\(run.subject.log)")
    for path in run.recordings { try expectWhole(path, run) }
  }
}
