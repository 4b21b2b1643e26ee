import Foundation
import HoldfastMediaModel
import TestSupport

/// The cost of the recorder compared with ffmpeg's fragmented MP4, of file layouts, and of finishing and opening a long
/// recording.
enum RecordingBench {
  static func run(_ arguments: Arguments) throws -> Bool {
    let (runs, hours) = (try arguments.number(0, default: 3), try arguments.number(1, default: 12))
    let folder = ScratchFolder()
    try processor(runs: runs, in: folder)
    try layouts(in: folder)
    try length(hours: hours, in: folder)
    return true
  }

  /// Both programs write 20 s of the same stream simultaneously in real time.
  private static func processor(runs: Int, in folder: ScratchFolder) throws {
    let clip = try Clip.make(kilobits: 2500, seconds: 20, in: folder)
    var (recorder, muxer): ([Double], [Double]) = ([], [])
    for number in 1...runs {
      let run = try RecorderRun()
      let target = folder.file("ffmpeg-\(number).mp4")
      muxer.append(
        try Clip.copyingTime([
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
      _ = try Clip.copyingTime(arguments.split(separator: " ").map(String.init))
      printLayout(name, fileSize(target) - payload, payload, loss)
      unlink(target)
    }
    let target = folder.file("ours.mp4")
    let ours = try SimulatedRecording(clip, to: target)
    ours.offer(times: 1)
    let (bytes, room) = (try ours.finish(), try ours.room)
    printLayout("ours: one that grows by the packet", bytes - room - payload, payload, "nothing written")
    printLayout("  with the room for its index (a hole)", bytes - payload, payload, "")
    unlink(target)
    print("")
  }

  private static func printLayout(_ name: String, _ extra: Int, _ payload: Int, _ loss: String) {
    print("  \(padded(name, 46)) \(percent(Double(extra) / Double(payload)))   \(loss)")
  }

  private static func length(hours: Int, in folder: ScratchFolder) throws {
    let clip = try Clip.make(kilobits: 300, seconds: 60, in: folder)
    print("A recording of \(hours) hours beside one of a minute, 1280x720 at 30, made in simulated time")
    var lines = [
      [
        "", "size", "finishing", "opening", "a picture from the middle",
        "memory at the first minute, at the end",
      ]
    ]
    for (name, minutes) in [("1 minute", 1), ("\(hours) hours", hours * 60)] {
      let path = folder.file("length-\(minutes).mp4")
      let run = try SimulatedRecording(clip, to: path)
      let memory = [1, minutes - 1].map { part in
        run.offer(times: part)
        return "\((ProcessFigures(of: getpid())?.memoryKilobytes ?? 0) / 1024) MB"
      }
      var bytes = 0
      let finishing = try ContinuousClock().measure { bytes = try run.finish() } / .seconds(1)
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
        name, "\(figure(Double(bytes) / 1e6, 0)) MB", "\(figure(finishing, 3)) s",
        "\(figure(opening, 3)) s", "\(figure(seeking, 3)) s", memory.joined(separator: ", "),
      ])
      unlink(path)
    }
    print(aligned(lines))
  }

  private static func percent(_ share: Double) -> String { figure(share * 100, 2) + " %" }
}
