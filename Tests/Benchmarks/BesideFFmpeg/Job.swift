/// A job for both programs, with the arguments of each.
struct Job {
  let name: String
  let holdfast: [String]
  let ffmpeg: [String]
  /// Whether the output has marks, from which missing pictures can be counted.
  var hasMarks = true

  private static let encoding = [
    "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-b:v", "2500k",
    "-maxrate", "2500k", "-bufsize", "2500k", "-g", "60", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "128k",
    "-ac", "2",
  ]
  private static let quiet = ["-nostdin", "-v", "error", "-y"]

  /// Half-second fragments, whereas Holdfast writes each picture at once.
  private static let fragments = [
    "-movflags", "empty_moov+default_base_moof", "-frag_duration", "500000", "-f", "mp4",
  ]

  static func all(samePicture: String) -> [Job] {
    [
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
        name: "Start to first packet in the file (ffmpeg with a fragment for each frame)",
        holdfast: ["publish", "--video", "test", "--audio", "tone", "--duration", "1s"],
        ffmpeg: quiet + lavfi + ["-t", "1"] + encoding + [
          "-movflags", "empty_moov+default_base_moof+frag_every_frame", "-flush_packets", "1", "-f", "mp4",
        ]),
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
}
