import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

struct InterruptionsRun {
  let folder = ScratchFolder()
  private(set) var injections: [Injection] = []
  let events: EventLines
  /// Of the process, once a second.
  let samples: [ProcessFigures]
  /// Of the recording.
  let writes: [WallTime]
  /// The tags written by the server, by publish.
  let publishes: [[RecordedTag]]
  let publishTypes: [String]
  /// When the server was notified of the ends of publishes.
  let departures: [WallTime]
  let serverFile: String
  let status: Int32
  let length: MediaTime

  private static let name = "soak"

  init(_ plan: InterruptionsPlan) throws {
    let server = try NginxRTMP(in: folder)
    serverFile = server.recording("typed", Self.name)
    let tail = FLVTail(path: serverFile)
    let begin = MonotonicTime.now
    let environment = ["XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path]
    let subject = try HoldfastSubject(
      to: [server.url("typed", Self.name)], environment: environment,
      options: [
        "--name", Self.name, "--size", "1280x720", "--fps", "30", "--bitrate", "2500k", "--duration", "2h",
      ], in: folder)
    defer { subject.finish() }
    guard tail.hasPictures(moreThan: 60), let recording = folder.recordings.first else {
      throw TestFailure("it did not get on air:\n\(subject.log)")
    }
    let (samples, writes) = (Locked<[ProcessFigures]>([]), Locked<[WallTime]>([]))
    let watches = [
      RepeatingThread(every: 1_000_000) { [process = subject.identifier] in
        if let sample = ProcessFigures(of: process) { samples.withLock { $0.append(sample) } }
      },
      RepeatingThread(every: 5000) {
        let written = Self.lastWrite(to: recording)
        writes.withLock { if $0.last != written { $0.append(written) } }
      },
    ]
    var resumed = MonotonicTime.now
    for (index, round) in plan.rounds.enumerated() {
      progress("round \(index + 1) of \(plan.rounds.count)")
      pause(until: resumed + round.live)
      let interrupt = try Self.request("interrupt", SIGUSR1, round.way, subject, environment)
      pause(until: interrupt.completed.monotonic + round.interrupted)
      let resume = try Self.request("resume", SIGUSR2, round.way, subject, environment)
      injections.append(Injection(way: round.way, interrupt: interrupt, resume: resume))
      guard subject.reports("resumed", times: index + 1) else {
        throw TestFailure("round \(index + 1): it did not come back:\n\(subject.log.suffix(4000))")
      }
      resumed = resume.completed.monotonic
    }
    length = .now - begin
    // Records some media after the last return.
    pause(.seconds(2))
    for watch in watches { watch.finish() }
    (self.samples, self.writes) = (samples.withLock { $0 }, writes.withLock { $0 })
    subject.finish()
    events = subject.lines
    status = subject.status ?? -1
    publishTypes = server.publishes().map(\.type)
    departures = server.departures().map { WallTime(nanoseconds: Int64($0 * 1e9)) }
    publishes = Self.publishes(in: tail.finish())
  }

  /// The gaps of the interruptions.
  var gaps: [[String: Any]] { events.named("gap").filter { $0["cause"] as? String == "user" } }

  private static func request(
    _ word: String, _ signal: Int32, _ way: InterruptionsPlan.Way, _ subject: HoldfastSubject,
    _ environment: [String: String]
  ) throws -> TimedRequest {
    let sent = Instant.now
    switch way {
    case .signal: subject.signal(signal)
    case .control:
      let result = try HoldfastProcess.run(["ctl", "--name", name, word], environment: environment)
      guard result.status == 0 else { throw TestFailure("ctl \(word): \(result.errors)") }
    }
    return TimedRequest(sent: sent, completed: .now)
  }

  private static func lastWrite(to file: String) -> WallTime {
    var status = stat()
    stat(file, &status)
    return WallTime(nanoseconds: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
  }

  /// Splits the tags at each video header.
  private static func publishes(in tags: [RecordedTag]) -> [[RecordedTag]] {
    var publishes: [[RecordedTag]] = []
    for tag in tags {
      if tag.kind == .video, tag.isHeader { publishes.append([]) }
      if !publishes.isEmpty, !tag.isHeader { publishes[publishes.count - 1].append(tag) }
    }
    return publishes
  }
}
