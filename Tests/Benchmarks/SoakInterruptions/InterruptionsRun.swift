import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

struct InterruptionsRun {
  struct Line {
    let fields: [String: Any]

    var at: WallTime { wallTime("at") ?? WallTime(nanoseconds: 0) }
    func text(_ name: String) -> String? { fields[name] as? String }
    func wallTime(_ name: String) -> WallTime? { text(name).flatMap(WallTime.init(rfc3339:)) }
  }

  let folder = ScratchFolder()
  let injections: [Injection]
  let events: EventLines
  let samples: [ProcessFigures]
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

  init(_ plan: SoakPlan, report: (Int) -> Void) throws {
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
    let watch = ProcessWatch(process: subject.identifier, file: recording)
    var injections: [Injection] = []
    var resumed = MonotonicTime.now
    for (index, round) in plan.rounds.enumerated() {
      report(index + 1)
      sleep(until: resumed + round.live)
      let interrupt = try Self.request("interrupt", SIGUSR1, round.way, subject, environment)
      sleep(until: interrupt.completed.monotonic + round.interrupted)
      let resume = try Self.request("resume", SIGUSR2, round.way, subject, environment)
      injections.append(Injection(way: round.way, interrupt: interrupt, resume: resume))
      guard subject.reports("resumed", times: index + 1) else {
        throw TestFailure("round \(index + 1): it did not come back:\n\(subject.log.suffix(4000))")
      }
      resumed = resume.completed.monotonic
    }
    length = .now - begin
    // Records some media after the last return.
    sleep(until: .now + .seconds(2))
    (samples, writes) = watch.finish()
    subject.finish()
    self.injections = injections
    events = subject.lines
    status = subject.status ?? -1
    publishTypes = server.publishes().map(\.type)
    departures = server.departures().map { WallTime(nanoseconds: Int64($0 * 1e9)) }
    publishes = Self.publishes(in: tail.finish())
  }

  func named(_ event: String) -> [Line] { events.named(event).map(Line.init) }

  private static func request(
    _ word: String, _ signal: Int32, _ way: SoakPlan.Way, _ subject: HoldfastSubject,
    _ environment: [String: String]
  ) throws -> Request {
    let sent = Instant.now
    switch way {
    case .signal: subject.signal(signal)
    case .control:
      let result = try HoldfastProcess.run(["ctl", "--name", name, word], environment: environment)
      guard result.status == 0 else { throw TestFailure("ctl \(word): \(result.errors)") }
    }
    return Request(sent: sent, completed: .now)
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

private func sleep(until moment: MonotonicTime) {
  let left = moment - .now
  if left > .zero { usleep(useconds_t(left.nanoseconds / 1000)) }
}
