import Foundation
import TestSupport

/// A job for both programs, with the arguments of each.
struct Job {
  let name: String
  let holdfast: [String]
  /// Empty in a job for Holdfast alone.
  var ffmpeg: [String] = []
  var environment: [String: String] = [:]
  /// Whether the output has marks, from which missing pictures can be counted.
  var hasMarks = true
  /// Published only, and looked for at the server.
  var isServed = false
  /// Whether what is neither encoder nor decoder is compared.
  var isProfiled = false

  private static let encoding = encoding("2500k")
  private static let quiet = ["-nostdin", "-v", "error", "-y"]

  private static func encoding(_ rate: String) -> [String] {
    [
      "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-b:v", rate,
      "-maxrate", rate, "-bufsize", rate, "-g", "60", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "128k",
      "-ac", "2",
    ]
  }

  /// Half-second fragments, whereas Holdfast writes each picture at once.
  private static let fragments = [
    "-movflags", "empty_moov+default_base_moof", "-frag_duration", "500000", "-f", "mp4",
  ]

  /// Publishes to `server`, too.
  static func all(
    samePicture: String, server: ServeProcess, camera: TestDevice.Camera, microphone: TestDevice.Microphone,
    firstPicture: String
  ) -> [Job] {
    let environment = camera.environment.merging(microphone.environment) { $1 }
    return [
      Job(
        name: "Each its own test picture and tone (they differ: testsrc2 is the busier one)",
        holdfast: testSignals + ["--duration", "10s"],
        ffmpeg: quiet + lavfi + ["-t", "10"] + encoding + fragments),
      fromFile(samePicture), inTwoRates(samePicture, server), inTwoSizes(samePicture, server),
      Job(
        name: "A virtual camera (640x480, YUYV) and a virtual microphone",
        holdfast: devices(camera) + ["--duration", "10s"],
        ffmpeg: deviceInput(camera) + ["-t", "10"] + encoding + fragments, environment: environment,
        hasMarks: false, isProfiled: true),
      Job(
        name: "Start to first packet in the file (ffmpeg with a fragment for each frame)",
        holdfast: testSignals + ["--duration", "1s"],
        ffmpeg: quiet + lavfi + ["-t", "1"] + encoding + [
          "-movflags", "empty_moov+default_base_moof+frag_every_frame", "-flush_packets", "1", "-f", "mp4",
        ]),
      start("test picture and tone", testSignals),
      start(
        "virtual camera and microphone", devices(camera),
        environment.merging([TestDevice.Camera.firstPictureFile: firstPicture]) { $1 }),
      start("a file", files(samePicture)),
    ]
  }

  private static func fromFile(_ path: String) -> Job {
    Job(
      name: "The same picture and sound, from a file, decoded and encoded",
      holdfast: files(path) + ["--duration", "10s"],
      ffmpeg: realTime(path) + ["-t", "10"] + encoding + fragments, hasMarks: false)
  }

  private static func inTwoRates(_ path: String, _ server: ServeProcess) -> Job {
    let published = encoding("1M") + ["-f", "flv", server.address(of: "ffmpeg"), "-t", "10"]
    return Job(
      name: "The same, recorded at 6 Mb/s and published at 1 Mb/s, in one size",
      holdfast: files(path) + [
        "--duration", "10s", "--bitrate", "1M", "--record-bitrate", "6M", "--to",
        server.address(of: "holdfast"),
      ],
      ffmpeg: realTime(path) + ["-t", "10"] + published + encoding("6M") + fragments, hasMarks: false)
  }

  private static func inTwoSizes(_ path: String, _ server: ServeProcess) -> Job {
    let split = ["-filter_complex", "[0:v]split=2[a][b];[b]scale=640:360[c]"]
    let small = ["-map", "[c]", "-map", "0:a", "-t", "10"] + encoding("1M")
    let large = ["-map", "[a]", "-map", "0:a", "-t", "10"] + encoding("6M")
    return Job(
      name: "The same, published in 640x360",
      holdfast: files(path) + [
        "--duration", "10s", "--size", "640x360", "--bitrate", "1M", "--record-size", "1280x720",
        "--record-bitrate", "6M", "--to", server.address(of: "holdfast"),
      ],
      ffmpeg: realTime(path) + split + small + ["-f", "flv", server.address(of: "ffmpeg")] + large
        + fragments,
      hasMarks: false)
  }

  private static func start(
    _ source: String, _ holdfast: [String], _ environment: [String: String] = [:]
  ) -> Job {
    Job(
      name: "Start to the server's first picture: " + source, holdfast: holdfast + ["--duration", "1s"],
      environment: environment, hasMarks: false, isServed: true)
  }

  private static let testSignals = ["publish", "--video", "test", "--audio", "tone"]

  private static func files(_ path: String) -> [String] {
    ["publish", "--video", "file:\(path)", "--audio", "file:\(path)"]
  }

  private static func realTime(_ path: String) -> [String] { quiet + ["-re", "-i", path] }

  private static func devices(_ camera: TestDevice.Camera) -> [String] {
    ["publish", "--video", "camera:\(camera.path)", "--size", "640x480", "--audio", "mic:default"]
  }

  private static func deviceInput(_ camera: TestDevice.Camera) -> [String] {
    quiet + [
      "-f", "v4l2", "-framerate", "30", "-video_size", "640x480", "-i", camera.path, "-f", "alsa", "-i",
      "default",
    ]
  }

  private static let lavfi = [
    "-re", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30", "-re", "-f", "lavfi", "-i",
    "sine=frequency=440:beep_factor=4:sample_rate=48000",
  ]

  static func makeSameFile(_ path: String) -> [String] {
    ["ffmpeg"] + quiet + [
      "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30", "-f", "lavfi", "-i",
      "sine=frequency=440:beep_factor=4:sample_rate=48000", "-t", "12", "-c:v", "libx264", "-preset",
      "veryfast", "-pix_fmt", "yuv420p", "-b:v", "8M", "-c:a", "aac", "-ac", "2", path,
    ]
  }

  func ours(in place: ScratchFolder, _ server: ServeProcess) -> JobRun {
    let stream = place.url.lastPathComponent
    let target =
      isServed ? ["--record", "off", "--to", server.address(of: stream)] : ["--record", place.path]
    return JobRun(command: [HoldfastProcess.program.path] + holdfast + target, environment: environment) {
      isServed ? server.recording(of: stream) : place.recordings.last
    }
  }

  func theirs(in place: ScratchFolder) -> JobRun? {
    let file = place.file("ffmpeg-file.mp4")
    guard !ffmpeg.isEmpty else { return nil }
    return JobRun(command: ["ffmpeg"] + ffmpeg + [file], environment: environment) { file }
  }
}

/// One program's part of a job.
struct JobRun {
  let command: [String]
  var environment: [String: String] = [:]
  /// The path of the output file once it exists.
  var output: () -> String? = { nil }
}
