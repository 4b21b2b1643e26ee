import Foundation
import HoldfastMarks
import HoldfastMediaModel

/// A video file with test picture marks in every frame, for publishers without our test picture.
enum MarkedFile {
  static let size = PictureSize(width: 320, height: 180)
  static let rate = 30

  private static let made = Result {
    let folder = ScratchFolder()
    try write(folder.file("marked.mp4"), seconds: 60)
    return try Data(contentsOf: URL(fileURLWithPath: folder.file("marked.mp4")))
  }

  /// Copies the one-minute file, encoded once for all tests, to `path`.
  static func put(to path: String) throws { try made.get().write(to: URL(fileURLWithPath: path)) }

  /// Encodes `seconds` of it at about 500 kb/s with a keyframe every two seconds, as Holdfast does.
  private static func write(_ path: String, seconds: Int) throws {
    let raw = path + ".yuv"
    defer { try? FileManager.default.removeItem(atPath: raw) }
    try writePictures(raw, count: seconds * rate)
    try Tool.run([
      "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s",
      "\(size.width)x\(size.height)", "-r", "\(rate)", "-i", raw, "-f", "lavfi", "-i",
      "sine=frequency=440:sample_rate=48000", "-t", "\(seconds)", "-c:v", "libx264", "-preset", "veryfast",
      "-tune", "zerolatency", "-b:v", "500k", "-maxrate", "500k", "-bufsize", "500k", "-g", "\(2 * rate)",
      "-c:a", "aac", "-b:a", "128k", "-ac", "2", path,
    ])
  }

  private static func writePictures(_ path: String, count: Int) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path), let layout = MarkLayout(size: size)
    else { throw TestFailure("no marks in \(path)") }
    let (width, luma) = (size.width, size.width * size.height)
    var picture = [UInt8](repeating: 128, count: luma * 3 / 2)
    var noise: UInt32 = 1
    for number in 0..<count {
      // Noise that the encoder cannot predict, so that it uses its bitrate.
      for index in luma / 2..<luma {
        noise = noise &* 1_664_525 &+ 1_013_904_223
        picture[index] = 112 + UInt8(noise >> 27)
      }
      let captureTime = MonotonicTime(nanoseconds: Int64(number) * 1_000_000_000 / Int64(rate))
      let mark = FrameMark(number: UInt32(number), captureTime: captureTime)
      var span = picture.mutableSpan
      layout.draw(mark, into: &span, bytesPerLine: width)
      try file.write(contentsOf: Data(picture))
    }
    try file.close()
  }
}
