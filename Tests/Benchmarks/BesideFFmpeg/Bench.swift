import Foundation
import TestSupport

/// Runs Holdfast and the ffmpeg command alternately on the same jobs, or on that of this number.
enum Bench {
  static func run(_ arguments: Arguments) throws -> Bool {
    let (runs, only) = (try arguments.number(0, default: 3), try arguments.number(1, default: 0))
    let folder = ScratchFolder()
    print(
      "1280x720 at 30, x264 veryfast zerolatency 2.5 Mb/s, AAC 128 kb/s, fragmented MP4, 10 s; medians of \(runs)\n"
    )
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
      var (ours, theirs): ([MeasuredRun], [MeasuredRun]) = ([], [])
      var marks: String?
      for _ in 0..<runs {
        let place = ScratchFolder()
        ours.append(try MeasuredRun(job.ours(in: place, server)))
        if job.hasMarks, let path = place.recordings.last { marks = try? RecordingMarks(path: path).summary }
        if let run = job.theirs(in: place) { theirs.append(try MeasuredRun(run)) }
      }
      print(job.name)
      func report(_ name: String, _ value: (MeasuredRun) -> Double?) {
        Self.report(name, ours.compactMap(value), theirs.compactMap(value))
      }
      report("CPU s", \.cpuSeconds)
      report("peak MB", \.peakMegabytes)
      report("anonymous MB", \.anonymousMegabytes)
      report("first media s", \.firstMediaSeconds)
      let sincePicture = ours.compactMap(\.pictureToMediaSeconds)
      if !sincePicture.isEmpty { Self.report("picture to media", sincePicture, []) }
      if let marks { print("  what Holdfast recorded: \(marks)") }
      if job.isProfiled { try profile(job, runs: runs, server) }
      print("")
    }
    return true
  }

  private static func profile(_ job: Job, runs: Int, _ server: ServeProcess) throws {
    guard ProfiledRun.isPossible else {
      return print("  not coding, s    not measured: perf is not installed")
    }
    var (ours, theirs): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
      let place = ScratchFolder()
      ours.append(try ProfiledRun.others(job.ours(in: place, server), in: place))
      if let run = job.theirs(in: place) { theirs.append(try ProfiledRun.others(run, in: place)) }
    }
    report("not coding, s", ours, theirs)
  }

  private static func report(_ name: String, _ ours: [Double], _ theirs: [Double]) {
    guard !ours.isEmpty else { return print("  \(name): not measured") }
    var columns = [("holdfast", median(ours))]
    if !theirs.isEmpty {
      columns += [("ffmpeg", median(theirs)), ("ratio", median(ours) / median(theirs))]
    }
    let words = columns.map { name, value in "\(name) \(padded(figure(value, 2), 7))" }
    print("  \(padded(name, 16)) \(words.joined(separator: "   "))")
  }
}
