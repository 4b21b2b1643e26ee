import Foundation
import HoldfastMediaModel
import TestSupport

/// `soak-interruptions [ROUNDS [SEED]]`: interrupts and resumes a broadcast repeatedly, and checks its files
/// and latencies. A hundred rounds take five minutes.
@main enum SoakInterruptions {
  static func main() {
    Measurement.run("soak-interruptions [ROUNDS [SEED]]") { numbers in
      try measure(
        rounds: numbers.number(0, default: 100),
        seed: UInt64(numbers.number(1, default: .random(in: 1...999_999))))
    }
  }

  private static func measure(rounds: Int, seed: UInt64) throws -> Bool {
    print("1280x720 at 30, 2.5 Mb/s, test picture and tone, to nginx-rtmp and to a recording; seed \(seed)")
    let run = try InterruptionsRun(SoakPlan(rounds: rounds, seed: seed)) {
      Measurement.progress("round \($0) of \(rounds)")
    }
    Measurement.progress("reading what it left")
    guard let recording = run.folder.recordings.first else {
      throw TestFailure("there is no recording")
    }
    let files = [
      try SoakedFile("recording", path: recording), try SoakedFile("server", path: run.serverFile),
    ]
    let gaps = files.map { GapCheck(of: run, in: $0) }
    var claims = Claims()
    check(run, &claims)
    for (file, gap) in zip(files, gaps) { claims.check(file, gap, told: run.events.uncapturedPictures) }
    claims.check(gaps[0])
    claims.check(Latencies(of: run))
    claims.check(run.samples)
    let fixed = "\(rounds) interruptions in \(figure(run.length.seconds, 0)) s"
    print("\(fixed), by ctl and by signals in turn, each 50 ms to 3 s long\n")
    print(claims.lines.joined(separator: "\n"))
    print("\n" + details(of: run, gaps[0]))
    print("\n" + (try besideFFmpeg(run, seed: seed)))
    print(claims.failed == 0 ? "\nall of it holds" : "\n\(claims.failed) do not hold")
    return claims.failed == 0
  }

  private static func check(_ run: InterruptionsRun, _ claims: inout Claims) {
    let rounds = run.injections.count
    claims.expect(run.status == 0, "it ends as asked", "status \(run.status)")
    claims.expect(run.folder.recordings.count == 1, "one recording", "\(run.folder.recordings.count)")
    let types = run.publishTypes
    claims.expect(
      types == ["record"] + Array(repeating: "append", count: rounds), "one record, then append",
      "\(types.count { $0 == "record" }) record, \(types.count { $0 == "append" }) append")
    let told =
      ["interrupted", "resumed"].map { run.named($0).count }
      + [run.named("gap").count { $0.text("cause") == "user" }]
    claims.expect(
      told == Array(repeating: rounds, count: 3), "each is told", "interrupted, resumed, gap: \(told)")
  }

  private static func details(of run: InterruptionsRun, _ gaps: GapCheck) -> String {
    let ways: [(String, Set<SoakPlan.Way>)] = [("by ctl", [.control]), ("by signal", [.signal])]
    var lines = ways.flatMap { title, ways in
      let figures = Latencies(of: run, by: ways)
      return [
        "\(title), ms: resume to the first picture at the server: \(Percentiles(figures.firstPicture))",
        "\(title), ms: interrupt to the server's end of the publish: \(Percentiles(figures.departure))",
      ]
    }
    lines.append("resume to the gap's end, ms: \(Percentiles(gaps.rows.map(\.end)))")
    lines.append("resume to `resumed`, ms: \(Percentiles(Latencies(of: run).resumed))")
    return lines.joined(separator: "\n")
  }

  private static func besideFFmpeg(_ run: InterruptionsRun, seed: UInt64) throws -> String {
    Measurement.progress("the same with ffmpeg, ten times")
    let theirs = try FFmpegRestarts(SoakPlan(rounds: 11, seed: seed))
    // Excludes commands, whose process must be started first.
    let ours = Latencies(of: run, by: [.signal])
    let (back, left) = (Percentiles(theirs.firstPicture), Percentiles(theirs.lastMedia))
    return """
      ffmpeg, ended with SIGINT and started again, ms (\(theirs.files) files):
      return to the first picture at the server: \(back), ratio \
      \(figure(Percentiles(ours.firstPicture).median / back.median, 2))
      SIGINT to the last packet at the server: \(left), ratio \
      \(figure(Percentiles(ours.lastMedia).median / left.median, 2))
      """
  }
}
