import Foundation
import TestSupport

enum Clip {
  static func make(kilobits: Int, seconds: Int, in folder: ScratchFolder) throws -> String {
    let path = folder.file("clip-\(kilobits)-\(seconds).mkv")
    try Tool.run(
      ["ffmpeg"] + FFmpegArguments.quiet + FFmpegArguments.signals() + ["-t", "\(seconds)"]
        + FFmpegArguments.encoding("\(kilobits)k") + [path])
    return path
  }

  static func payload(_ path: String) throws -> Int {
    try Tool.probe(path, "packet=size").reduce(0) { $0 + ($1.first.flatMap { Int($0) } ?? 0) }
  }

  static func seconds(_ arguments: [String]) throws -> Double {
    try ContinuousClock().measure { try Tool.run(arguments) } / .seconds(1)
  }

  /// Of the processor, in seconds, for what ffmpeg does.
  static func copyingTime(_ arguments: [String]) throws -> Double {
    let before = childrenTime
    try Tool.run(["ffmpeg"] + FFmpegArguments.quiet + arguments)
    return childrenTime - before
  }

  private static var childrenTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return usage.processorSeconds
  }
}
