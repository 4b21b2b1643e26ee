import HoldfastMediaModel
import TestSupport

/// Interrupts and resumes a broadcast repeatedly, and checks its files and latencies. A hundred rounds take five minutes.
enum SoakInterruptions {
  static func run(_ arguments: Arguments) throws -> Bool {
    let (rounds, seed) = (try arguments.number(0, default: 100), try arguments.seed(1))
    print("1280x720 at 30, 2.5 Mb/s, test picture and tone, to nginx-rtmp and to a recording; seed \(seed)")
    let run = try InterruptionsRun(InterruptionsPlan(rounds: rounds, seed: seed))
    progress("reading what it left")
    let files = [
      try SoakedFile("recording", path: run.folder.recording()),
      try SoakedFile("server", path: run.serverFile),
    ]
    let gaps = files.map { GapCheck(of: run, in: $0) }
    var claims = Claims()
    claims.check(run)
    for (file, gap) in zip(files, gaps) { claims.check(file, gap, told: run.events.uncapturedPictures) }
    claims.check(gaps[0])
    claims.check(Latencies(of: run))
    claims.check(run.samples)
    let title = "\(rounds) interruptions in \(figure(run.length.seconds, 0)) s"
    print("\(title), by ctl and by signals in turn, each 50 ms to 3 s long\n")
    print(claims.lines.joined(separator: "\n"))
    print("\n" + details(of: run, gaps[0]))
    print("\n" + (try besideFFmpeg(run, seed: seed)))
    return claims.conclude()
  }

  private static func details(of run: InterruptionsRun, _ gaps: GapCheck) -> String {
    let ways: [(String, Set<InterruptionsPlan.Way>)] = [("by ctl", [.control]), ("by signal", [.signal])]
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
    progress("the same with ffmpeg, ten times")
    let theirs = try FFmpegRestarts(InterruptionsPlan(rounds: 11, seed: seed))
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
