import TestSupport

/// A job for both programs, with the arguments of each.
struct Job {
  let name: String
  let holdfast: [String]
  let ffmpeg: [String]
  var environment: [String: String] = [:]
  /// Whether the output has marks, from which missing pictures can be counted.
  var hasMarks = true
  /// Published only, and measured at the server.
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
    samePicture: String, server: ServeProcess, camera: TestDevice.Camera, microphone: TestDevice.Microphone
  ) -> [Job] {
    let file = "file:\(samePicture)"
    let environment = camera.environment.merging(microphone.environment) { $1 }
    let input = quiet + ["-re", "-i", samePicture]
    let (recorded, published) = (encoding("6M"), encoding("1M"))
    let scaled = ["-filter_complex", "[0:v]split=2[a][b];[b]scale=640:360[c]", "-map", "[a]", "-map", "0:a"]
    return [
      Job(
        name: "Each its own test picture and tone (they differ: testsrc2 is the busier one)",
        holdfast: ["publish", "--video", "test", "--audio", "tone", "--duration", "10s"],
        ffmpeg: quiet + lavfi + ["-t", "10"] + encoding + fragments),
      Job(
        name: "The same picture and sound, from a file, decoded and encoded",
        holdfast: [
          "publish", "--video", "file:\(samePicture)", "--audio", "file:\(samePicture)", "--duration", "10s",
        ],
        ffmpeg: quiet + ["-re", "-i", samePicture, "-t", "10"] + encoding + fragments,
        hasMarks: false),
      Job(
        name: "The same, recorded at 6 Mb/s and published at 1 Mb/s, in one size",
        holdfast: [
          "publish", "--video", file, "--audio", file, "--duration", "10s", "--bitrate", "1M",
          "--record-bitrate", "6M", "--to", server.address(of: "holdfast"),
        ],
        ffmpeg: input + ["-t", "10"] + published + ["-f", "flv", server.address(of: "ffmpeg"), "-t", "10"]
          + recorded
          + fragments,
        hasMarks: false),
      Job(
        name: "The same, published in 640x360",
        holdfast: [
          "publish", "--video", file, "--audio", file, "--duration", "10s", "--size", "640x360", "--bitrate",
          "1M", "--record-size", "1280x720", "--record-bitrate", "6M", "--to", server.address(of: "holdfast"),
        ],
        ffmpeg: input + scaled.prefix(2) + ["-map", "[c]", "-map", "0:a", "-t", "10"] + published
          + ["-f", "flv", server.address(of: "ffmpeg")] + scaled.dropFirst(2) + ["-t", "10"] + recorded
          + fragments,
        hasMarks: false),
      Job(
        name: "A virtual camera (640x480, YUYV) and a virtual microphone",
        holdfast: devices(camera) + ["--duration", "10s"],
        ffmpeg: deviceInput(camera) + ["-t", "10"] + encoding + fragments, environment: environment,
        hasMarks: false, isProfiled: true),
      Job(
        name: "Start to the server's first picture: test picture and tone",
        holdfast: ["publish", "--video", "test", "--audio", "tone", "--duration", "1s"],
        ffmpeg: quiet + lavfi + ["-t", "1"] + encoding, isServed: true),
      Job(
        name: "Start to the server's first picture: virtual camera and microphone",
        holdfast: devices(camera) + ["--duration", "1s"],
        ffmpeg: deviceInput(camera) + ["-t", "1"] + encoding, environment: environment, isServed: true),
      Job(
        name: "Start to the server's first picture: a file",
        holdfast: ["publish", "--video", file, "--audio", file, "--duration", "1s"],
        ffmpeg: input + ["-t", "1"] + encoding, isServed: true),
    ]
  }

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
    run([HoldfastProcess.program.path] + holdfast, place, server) { stream in
      isServed ? ["--record", "off", "--to", server.address(of: stream)] : ["--record", place.path]
    }
  }

  func theirs(in place: ScratchFolder, _ server: ServeProcess) -> JobRun {
    run(["ffmpeg"] + ffmpeg, place, server) { stream in
      isServed
        ? ["-flush_packets", "1", "-f", "flv", server.address(of: stream)] : [place.file("ffmpeg.mp4")]
    }
  }

  private func run(
    _ command: [String], _ place: ScratchFolder, _ server: ServeProcess,
    target: (_ stream: String) -> [String]
  ) -> JobRun {
    let stream = place.url.lastPathComponent
    return JobRun(command: command + target(stream), environment: environment) {
      isServed ? server.recording(of: stream) : place.recordings.last
    }
  }
}

/// One program's part of a job.
struct JobRun {
  let command: [String]
  var environment: [String: String] = [:]
  /// The path of the output file once it exists.
  var output: () -> String? = { nil }
}
