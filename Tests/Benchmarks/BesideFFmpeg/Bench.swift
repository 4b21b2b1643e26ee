import Foundation
import TestSupport

/// `bench [RUNS] [JOB]`: runs Holdfast and the ffmpeg command alternately on the same jobs, or on that of this number.
@main enum Bench {
  static func main() {
    Measurement.run("bench [RUNS] [JOB]") { numbers in
      try measure(runs: numbers.number(0, default: 3), job: numbers.number(1, default: 0))
      return true
    }
  }

  private static func measure(runs: Int, job only: Int) throws {
    let folder = ScratchFolder()
    print(
      "1280x720 at 30, x264 veryfast zerolatency 2.5 Mb/s, AAC 128 kb/s, fragmented MP4, 10 s; medians of \(runs)"
    )
    print("")
    let picture = folder.file("picture.mp4")
    _ = try MeasuredRun(JobRun(command: Job.makeSameFile(picture)))
    let server = try ServeProcess(in: folder, options: ["--max-connections", "8"])
    defer { server.finish() }
    let microphone = try TestDevice.Microphone(in: folder)
    defer { withExtendedLifetime(microphone) {} }
    let jobs = Job.all(
      samePicture: picture, server: server, camera: try TestDevice.Camera(in: folder), microphone: microphone,
      firstPicture: folder.file("first-picture"))
    guard (0...jobs.count).contains(only) else { throw TestFailure("there are \(jobs.count) jobs") }
    for (index, job) in jobs.enumerated() where only == 0 || only == index + 1 {
      var ours: [MeasuredRun] = []
      var theirs: [MeasuredRun] = []
      var marks: String?
      for _ in 0..<runs {
        let place = ScratchFolder()
        ours.append(try MeasuredRun(job.ours(in: place, server)))
        if job.hasMarks, let path = place.recordings.last { marks = try? RecordingMarks(path: path).summary }
        if let run = job.theirs(in: place) { theirs.append(try MeasuredRun(run)) }
      }
      print(job.name)
      report("CPU s", ours.map(\.cpuSeconds), theirs.map(\.cpuSeconds))
      report("peak MB", ours.map(\.peakMegabytes), theirs.map(\.peakMegabytes))
      report("anonymous MB", ours.map(\.anonymousMegabytes), theirs.map(\.anonymousMegabytes))
      report("first media s", ours.compactMap(\.firstMediaSeconds), theirs.compactMap(\.firstMediaSeconds))
      let sincePicture = ours.compactMap(\.pictureToMediaSeconds)
      if !sincePicture.isEmpty { report("picture to media", sincePicture, []) }
      if let marks { print("  what Holdfast recorded: \(marks)") }
      if job.isProfiled { try profile(job, runs: runs, server) }
      print("")
    }
  }

  private static func profile(_ job: Job, runs: Int, _ server: ServeProcess) throws {
    guard ProfiledRun.isPossible else {
      return print("  not coding, s    not measured: perf is not installed")
    }
    var (ours, theirs): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
      let place = ScratchFolder()
      ours.append(try ProfiledRun(job.ours(in: place, server), in: place).others)
      if let run = job.theirs(in: place) { theirs.append(try ProfiledRun(run, in: place).others) }
    }
    report("not coding, s", ours, theirs)
  }

  private static func report(_ name: String, _ ours: [Double], _ theirs: [Double]) {
    guard !ours.isEmpty else {
      print("  \(name): not measured")
      return
    }
    var columns = [("holdfast", median(ours))]
    if !theirs.isEmpty {
      columns += [("ffmpeg", median(theirs)), ("ratio", median(ours) / median(theirs))]
    }
    let words = columns.map { name, value in "\(name) \(padded(figure(value, 2), 7))" }
    print("  \(padded(name, 16)) \(words.joined(separator: "   "))")
  }
}
