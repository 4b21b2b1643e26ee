import Foundation
import TestSupport

/// `bench [RUNS]`: runs Holdfast and the ffmpeg command alternately on the same jobs.
@main enum Bench {
  static func main() {
    Measurement.run("bench [RUNS]") { numbers in
      try measure(runs: numbers.number(0, default: 3))
      return true
    }
  }

  private static func measure(runs: Int) throws {
    let folder = ScratchFolder()
    print(
      "1280x720 at 30, x264 veryfast zerolatency 2.5 Mb/s, AAC 128 kb/s, fragmented MP4, 10 s; medians of \(runs)"
    )
    print("")
    let picture = folder.file("picture.mp4")
    _ = try MeasuredRun(Job.makeSameFile(picture), output: { nil })
    let server = try ServeProcess(in: folder, options: ["--max-connections", "8"])
    let address = String(server.address.dropLast("/stage".count))
    defer { server.finish() }
    for job in Job.all(samePicture: picture, server: address) {
      var ours: [MeasuredRun] = []
      var theirs: [MeasuredRun] = []
      var marks: String?
      for _ in 0..<runs {
        let place = ScratchFolder()
        ours.append(
          try MeasuredRun(
            [HoldfastProcess.program.path] + job.holdfast + ["--record", place.path],
            output: { place.recordings.last }))
        if let path = place.recordings.last { marks = try? RecordingMarks(path: path).summary }
        let target = place.file("ffmpeg.mp4")
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
    guard !ours.isEmpty, !theirs.isEmpty else {
      print("  \(name): not measured")
      return
    }
    let columns = [
      ("holdfast", median(ours)), ("ffmpeg", median(theirs)), ("ratio", median(ours) / median(theirs)),
    ].map { name, value in "\(name) \(padded(figure(value, 2), 7))" }
    print("  \(padded(name, 16)) \(columns.joined(separator: "   "))")
  }
}
