import TestSupport

enum Noise {
  /// A source of six seconds that cost an encoder whatever rate it has.
  static func file(in folder: ScratchFolder, size: String) throws -> String {
    let picture = "-f lavfi -i testsrc2=size=\(size):rate=30,noise=alls=60:allf=t"
    let sound = "-f lavfi -i sine=sample_rate=48000"
    let codecs = "-c:v libx264 -preset ultrafast -qp 18 -c:a aac"
    return try "file:" + Tool.ffmpeg("\(picture) \(sound) -t 6 \(codecs)", to: folder.file("noise.mkv"))
  }
}
