import TestSupport

enum Noise {
  /// A source of six seconds that cost an encoder whatever rate it has.
  static func file(in folder: ScratchFolder, size: String) throws -> String {
    let path = folder.file("noise.mkv")
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=30,noise=alls=60:allf=t",
      "-f",
      "lavfi", "-i", "sine=sample_rate=48000", "-t", "6", "-c:v", "libx264", "-preset",
      "ultrafast", "-qp",
      "18", "-c:a", "aac", path,
    ])
    return "file:\(path)"
  }
}
