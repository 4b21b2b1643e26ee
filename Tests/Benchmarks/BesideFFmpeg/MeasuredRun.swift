import Glibc
import TestSupport

struct MeasuredRun {
  let cpuSeconds: Double
  let peakMegabytes: Double
  /// From the start of the process until its file contains a fragment.
  let firstPacketSeconds: Double?

  /// Runs `arguments` to the end. `output` returns the path of the output file once it exists.
  init(_ arguments: [String], output: () -> String?) throws {
    var process = pid_t()
    let begin = ContinuousClock.now
    var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    strings.append(nil)
    defer { for string in strings { free(string) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [0, 1, 2] as [Int32] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    let code = posix_spawnp(&process, arguments[0], &actions, nil, strings, environ)
    guard code == 0 else { throw TestFailure("\(arguments[0]): \(String(cString: strerror(code)))") }
    var firstPacket: Double?
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, WNOHANG, &usage) == 0 {
      if firstPacket == nil, let path = output(), Self.holdsFragment(path) {
        firstPacket = begin.duration(to: .now) / .seconds(1)
      }
      // Polling costs time, so it is frequent only until the first packet.
      usleep(firstPacket == nil ? 1000 : 20_000)
    }
    guard status == 0 else {
      throw TestFailure("\(arguments.joined(separator: " ")): ended with status \(status)")
    }
    cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    peakMegabytes = Double(usage.ru_maxrss) / 1024
    firstPacketSeconds = firstPacket
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  /// Looks for the first `moof`, since the header is written before anything is encoded.
  private static func holdsFragment(_ path: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 300_000)
    let count = fread(&bytes, 1, bytes.count, file)
    let name = Array("moof".utf8)
    return count > 4 && (0..<count - 4).contains { Array(bytes[$0..<$0 + 4]) == name }
  }
}
