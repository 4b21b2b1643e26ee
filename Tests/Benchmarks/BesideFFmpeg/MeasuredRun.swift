import Foundation
import Glibc
import TestSupport

struct MeasuredRun {
  let cpuSeconds: Double
  let peakMegabytes: Double
  /// The most memory that was the process's own, as without the files and libraries that it maps.
  let anonymousMegabytes: Double
  /// From the start of the process until its output contains media.
  let firstMediaSeconds: Double?
  /// The same from a camera's first picture.
  let pictureToMediaSeconds: Double?

  /// Runs the command to the end.
  init(_ run: JobRun) throws {
    let command = run.command
    var process = pid_t()
    let firstPicture = run.environment[TestDevice.Camera.firstPictureFile]
    if let firstPicture { unlink(firstPicture) }
    let begin = ContinuousClock.now
    var strings: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    let variables = ProcessInfo.processInfo.environment.merging(run.environment) { $1 }
    var pairs: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in strings + pairs { free(string) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [0, 1, 2] as [Int32] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    let code = posix_spawnp(&process, command[0], &actions, nil, &strings, &pairs)
    guard code == 0 else { throw TestFailure("\(command[0]): \(String(cString: strerror(code)))") }
    var firstMedia: Double?
    var pictureToMedia: Double?
    var anonymous = 0
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, WNOHANG, &usage) == 0 {
      if firstMedia == nil, let path = run.output(), Self.hasMedia(path) {
        firstMedia = begin.duration(to: .now) / .seconds(1)
        pictureToMedia = firstPicture.flatMap { Self.age(of: $0) }
      }
      // Reading it costs time, so it is read only after the first media.
      if firstMedia != nil {
        anonymous = max(anonymous, ProcessFigures(of: process)?.anonymousKilobytes ?? 0)
      }
      usleep(firstMedia == nil ? 1000 : 20_000)
    }
    guard status == 0 else {
      throw TestFailure("\(command.joined(separator: " ")): ended with status \(status)")
    }
    cpuSeconds = usage.processorSeconds
    peakMegabytes = Double(usage.ru_maxrss) / 1024
    anonymousMegabytes = Double(anonymous) / 1024
    firstMediaSeconds = firstMedia
    pictureToMediaSeconds = pictureToMedia
  }

  private static func age(of path: String) -> Double? {
    let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    return date.map { -$0.timeIntervalSinceNow }
  }

  private static func hasMedia(_ path: String) -> Bool {
    guard let bytes = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 300_000) else { return false }
    if bytes.starts(with: Data("FLV".utf8)) { return hasPicture(Array(bytes)) }
    // The header is written before anything is encoded.
    return bytes.range(of: Data("moof".utf8)) != nil
  }

  /// Looks for the first picture behind the script data and the headers.
  private static func hasPicture(_ bytes: [UInt8]) -> Bool {
    var tag = 13
    while tag + 13 <= bytes.count {
      if bytes[tag] == 9, bytes[tag + 12] == 1 { return true }
      tag += 15 + bytes[tag + 1...tag + 3].reduce(0) { $0 << 8 | Int($1) }
    }
    return false
  }
}
