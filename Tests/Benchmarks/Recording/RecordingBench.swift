import Foundation
import HoldfastMediaModel
import TestSupport

/// `bench-recording [RUNS [HOURS]]`: the cost of the recorder compared with ffmpeg's fragmented MP4, of file
/// layouts, and of finishing and opening a long recording.
@main enum RecordingBench {
  static func main() {
    Measurement.run("bench-recording [RUNS [HOURS]]") { numbers in
      let folder = ScratchFolder()
      try processor(runs: numbers.number(0, default: 3), in: folder)
      try layouts(in: folder)
      try length(hours: numbers.number(1, default: 12), in: folder)
      return true
    }
  }

  /// Both programs write 20 s of the same stream simultaneously in real time.
  private static func processor(runs: Int, in folder: ScratchFolder) throws {
    let clip = try Clip.make(kilobits: 2500, seconds: 20, in: folder)
    var recorder: [Double] = []
    var muxer: [Double] = []
    for number in 1...runs {
      let run = try RecorderRun(in: folder, number: number)
      let target = folder.file("ffmpeg-\(number).mp4")
      muxer.append(
        try Copying.processorTime([
          "-re", "-i", clip, "-c", "copy", "-movflags", "empty_moov+default_base_moof", "-frag_duration",
          "1000000", "-f", "mp4", target,
        ]) / 20)
      recorder.append(try run.finish())
      unlink(target)
    }
    print("Processor, 1280x720 at 30, 2.5 Mb/s and AAC, at its own speed, side by side; medians of \(runs)")
    print("  the recorder's threads   \(percent(median(recorder))) of a core")
    print("  ffmpeg -c copy to fMP4   \(percent(median(muxer))) of a core (it reads the file, too)")
    print("")
  }

  private static func layouts(in folder: ScratchFolder) throws {
    let seconds = 60
    let clip = try Clip.make(kilobits: 2500, seconds: seconds, in: folder)
    let payload = try Clip.payload(clip)
    print(
      "Layouts, 60 s at 2.5 Mb/s, a keyframe each 2 s: bytes beside the media, and what a SIGKILL costs at most"
    )
    for (name, flags, loss) in [
      ("a fragment from keyframe to keyframe", "+frag_keyframe", "2 s"),
      ("one a second", " -frag_duration 1000000", "1 s"),
      ("one a picture", "+frag_every_frame", "nothing written"),
    ] {
      let target = folder.file("layout.mp4")
      let arguments = "-i \(clip) -c copy -movflags empty_moov+default_base_moof\(flags) -f mp4 \(target)"
      _ = try Copying.processorTime(arguments.split(separator: " ").map(String.init))
      row(name, try Clip.size(target) - payload, payload, loss)
      unlink(target)
    }
    let target = folder.file("ours.mp4")
    let (bytes, room) = try Simulated.record(clip, times: 1, to: target)
    row("ours: one that grows by the packet", bytes - room - payload, payload, "nothing written")
    row("  with the room for its index (a hole)", bytes - payload, payload, "")
    unlink(target)
    print("")
  }

  private static func row(_ name: String, _ extra: Int, _ payload: Int, _ loss: String) {
    let share = String(format: "%.2f %%", Double(extra) * 100 / Double(payload))
    print("  \(padded(name, 46)) \(share)   \(loss)")
  }

  private static func length(hours: Int, in folder: ScratchFolder) throws {
    let clip = try Clip.make(kilobits: 300, seconds: 60, in: folder)
    print("A recording of \(hours) hours beside one of a minute, 1280x720 at 30, made in simulated time")
    var lines: [[String]] = []
    for (name, minutes) in [("1 minute", 1), ("\(hours) hours", hours * 60)] {
      let path = folder.file("length-\(minutes).mp4")
      let made = try Simulated.make(clip, minutes: minutes, to: path)
      let middle = Double(minutes * 30) + 0.5
      let opening = try median((0..<5).map { _ in try Clip.seconds(["ffprobe", "-v", "error", path]) })
      let seeking = try median(
        (0..<5).map { _ in
          try Clip.seconds([
            "ffmpeg", "-nostdin", "-v", "error", "-ss", "\(middle)", "-i", path, "-map", "0:v", "-frames:v",
            "1", "-f", "null", "-",
          ])
        })
      lines.append([
        name, "\(figure(Double(made.bytes) / 1e6, 0)) MB", "\(figure(made.finishing, 3)) s",
        "\(figure(opening, 3)) s", "\(figure(seeking, 3)) s", made.memory,
      ])
      unlink(path)
    }
    print(
      "              size      finishing  opening   a picture from the middle   memory at the first minute, at the end"
    )
    for line in lines { print("  " + zip(line, [11, 9, 10, 9, 27, 1]).map(padded).joined(separator: " ")) }
  }

  private static func percent(_ share: Double) -> String { String(format: "%.2f %%", share * 100) }
}
