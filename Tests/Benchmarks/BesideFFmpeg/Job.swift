import Foundation
import TestSupport

/// A job for both programs, with the arguments of each.
struct Job {
  let name: String
  let holdfast: [[String]]
  /// Empty in a job for Holdfast alone.
  var ffmpeg: [[String]] = []
  var environment: [String: String] = [:]
  /// Whether the output has marks, from which missing pictures can be counted.
  var hasMarks = false
  /// Published only, and looked for at the server.
  var isServed = false
  /// Whether what is neither encoder nor decoder is compared.
  var isProfiled = false

  private static let lavfi = FFmpegArguments.signals(["-re"])
  private static let encoding = encoding("2500k")
  private static func encoding(_ rate: String) -> [String] { FFmpegArguments.encoding(rate) }

  /// Half-second fragments, whereas Holdfast writes each picture at once.
  private static let fragments = [
    "-movflags", "empty_moov+default_base_moof", "-frag_duration", "500000", "-f", "mp4",
  ]

  /// Publishes to `server`, too.
  static func all(
    samePicture path: String, server: ServeProcess, camera: TestDevice.Camera,
    microphone: TestDevice.Microphone, firstPicture: String
  ) -> [Job] {
    let environment = camera.environment.merging(microphone.environment) { $1 }
    let testSignals = ["publish", "--video", "test", "--audio", "tone"]
    let files = ["publish", "--video", "file:\(path)", "--audio", "file:\(path)"]
    let devices = [
      "publish", "--video", "camera:\(camera.path)", "--size", "640x480", "--audio", "mic:default",
    ]
    let (ours, theirs) = (["--duration", "10s"], ["-t", "10"])
    let toServer = ["--to", server.address(of: "holdfast")]
    let published = encoding("1M") + ["-f", "flv", server.address(of: "ffmpeg")]
    func start(_ source: String, _ holdfast: [String], _ environment: [String: String] = [:]) -> Job {
      Job(
        name: "Start to the server's first picture: " + source, holdfast: [holdfast, ["--duration", "1s"]],
        environment: environment, isServed: true)
    }
    return [
      Job(
        name: "Each its own test picture and tone (they differ: testsrc2 is the busier one)",
        holdfast: [testSignals, ours], ffmpeg: [lavfi, theirs, encoding, fragments], hasMarks: true),
      Job(
        name: "The same picture and sound, from a file, decoded and encoded", holdfast: [files, ours],
        ffmpeg: [["-re", "-i", path], theirs, encoding, fragments]),
      Job(
        name: "The same, recorded at 6 Mb/s and published at 1 Mb/s, in one size",
        holdfast: [files, ours, ["--bitrate", "1M", "--record-bitrate", "6M"], toServer],
        ffmpeg: [["-re", "-i", path], theirs, published, theirs, encoding("6M"), fragments]),
      Job(
        name: "The same, published in 640x360",
        holdfast: [
          files, ours, ["--size", "640x360", "--bitrate", "1M", "--record-size", "1280x720"],
          ["--record-bitrate", "6M"], toServer,
        ],
        ffmpeg: [
          ["-re", "-i", path, "-filter_complex", "[0:v]split=2[a][b];[b]scale=640:360[c]"],
          ["-map", "[c]", "-map", "0:a"], theirs, published, ["-map", "[a]", "-map", "0:a"], theirs,
          encoding("6M"), fragments,
        ]),
      Job(
        name: "A virtual camera (640x480, YUYV) and a virtual microphone", holdfast: [devices, ours],
        ffmpeg: [
          ["-f", "v4l2", "-framerate", "30", "-video_size", "640x480", "-i", camera.path],
          ["-f", "alsa", "-i", "default"], theirs, encoding, fragments,
        ], environment: environment, isProfiled: true),
      Job(
        name: "Start to first packet in the file (ffmpeg with a fragment for each frame)",
        holdfast: [testSignals, ["--duration", "1s"]],
        ffmpeg: [
          lavfi, ["-t", "1"], encoding, ["-movflags", "empty_moov+default_base_moof+frag_every_frame"],
          ["-flush_packets", "1", "-f", "mp4"],
        ], hasMarks: true),
      start("test picture and tone", testSignals),
      start(
        "virtual camera and microphone", devices,
        environment.merging([TestDevice.Camera.firstPictureFile: firstPicture]) { $1 }),
      start("a file", files),
    ]
  }

  static func makeSameFile(_ path: String) -> [String] {
    ["ffmpeg"] + FFmpegArguments.quiet + FFmpegArguments.signals() + [
      "-t", "12", "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-b:v", "8M", "-c:a",
      "aac", "-ac", "2", path,
    ]
  }

  func ours(in place: ScratchFolder, _ server: ServeProcess) -> JobRun {
    let stream = place.url.lastPathComponent
    let target =
      isServed ? ["--record", "off", "--to", server.address(of: stream)] : ["--record", place.path]
    return JobRun(
      command: [HoldfastProcess.program.path] + holdfast.joined() + target, environment: environment
    ) { isServed ? server.recording(of: stream) : place.recordings.last }
  }

  func theirs(in place: ScratchFolder) -> JobRun? {
    let file = place.file("ffmpeg-file.mp4")
    guard !ffmpeg.isEmpty else { return nil }
    return JobRun(
      command: ["ffmpeg"] + FFmpegArguments.quiet + ffmpeg.joined() + [file], environment: environment
    ) { file }
  }
}

/// One program's part of a job.
struct JobRun {
  let command: [String]
  var environment: [String: String] = [:]
  /// The path of the output file once it exists.
  var output: () -> String? = { nil }
}
