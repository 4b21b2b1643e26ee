import Glibc
import TestSupport

/// `bench [RUNS]`: Holdfast and the ffmpeg command side by side, turn by turn, on the same jobs.
@main enum Bench {
  static func main() {
    do {
      let runs = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 3
      try measure(runs: runs)
    } catch {
      print("bench: \(error)")
      exit(1)
    }
  }

  private static func measure(runs: Int) throws {
    let folder = try Folder()
    let holdfast = Folder.besideThisProgram("holdfast")
    print(
      "1280x720 at 30, x264 veryfast zerolatency 2.5 Mb/s, AAC 128 kb/s, fragmented MP4, 10 s; medians of \(runs)"
    )
    print("")
    let picture = folder.file("picture.mp4")
    _ = try MeasuredRun(Job.makeSameFile(picture), output: { nil })
    for job in Job.all(samePicture: picture) {
      var ours: [MeasuredRun] = []
      var theirs: [MeasuredRun] = []
      var marks: String?
      for _ in 0..<runs {
        try folder.empty()
        ours.append(
          try MeasuredRun(
            [holdfast] + job.holdfast + ["--record", folder.path], output: folder.newestRecording))
        if let path = folder.newestRecording() { marks = try? RecordingMarks(path: path).summary }
        try folder.empty()
        let target = folder.file("ffmpeg.mp4")
        theirs.append(try MeasuredRun(["ffmpeg"] + job.ffmpeg + [target], output: { target }))
      }
      print(job.name)
      report("CPU s", ours.map(\.cpuSeconds), theirs.map(\.cpuSeconds))
      report("peak MB", ours.map(\.peakMegabytes), theirs.map(\.peakMegabytes))
      report("first packet s", ours.compactMap(\.firstPacketSeconds), theirs.compactMap(\.firstPacketSeconds))
      if job.hasMarks, let marks { print("  what Holdfast recorded: \(marks)") }
      print("")
    }
  }

  private static func report(_ name: String, _ ours: [Double], _ theirs: [Double]) {
    guard let our = median(ours), let their = median(theirs) else {
      print("  \(name): not measured")
      return
    }
    print(
      "  \(padded(name, 16)) holdfast \(figure(our))   ffmpeg \(figure(their))   ratio \(figure(our / their))"
    )
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  private static func figure(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return padded("\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)", 7)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
