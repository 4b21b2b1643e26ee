import Foundation
import TestSupport

enum Clip {
  static func make(kilobits: Int, seconds: Int, in folder: ScratchFolder) throws -> String {
    let path = folder.file("clip-\(kilobits)-\(seconds).mkv")
    let rate = "\(kilobits)k"
    try Tool.run([
      "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30", "-f",
      "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", "\(seconds)", "-c:v", "libx264", "-preset",
      "veryfast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-b:v", rate, "-maxrate", rate, "-bufsize",
      rate, "-g", "60", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "128k", path,
    ])
    return path
  }

  static func payload(_ path: String) throws -> Int {
    let sizes = try Tool.run([
      "ffprobe", "-v", "error", "-show_entries", "packet=size", "-of", "csv=p=0", path,
    ])
    return sizes.split(whereSeparator: \.isNewline).reduce(0) { $0 + (Int($1.filter(\.isNumber)) ?? 0) }
  }

  static func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  static func seconds(_ arguments: [String]) throws -> Double {
    try ContinuousClock().measure { try Tool.run(arguments) } / .seconds(1)
  }
}

enum Copying {
  static func processorTime(_ arguments: [String]) throws -> Double {
    let before = childrenTime
    try Tool.run(["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments)
    return childrenTime - before
  }

  private static var childrenTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}
