import Glibc
import TestSupport

/// One run of a command: what it cost, as the kernel counts it.
struct MeasuredRun {
  let cpuSeconds: Double
  let peakMegabytes: Double
  /// From the start of the process until its file held the first fragment.
  let firstPacketSeconds: Double?

  /// Runs `arguments` to its end. `output` answers the file it writes, as soon as that is there.
  init(_ arguments: [String], output: () -> String?) throws {
    var process = pid_t()
    let begin = Self.now
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
      if firstPacket == nil, let path = output(), Self.holdsFragment(path) { firstPacket = Self.now - begin }
      // Measuring from outside means looking: often until the first packet is there, seldom afterwards.
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

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The header alone is there before anything is encoded; media follows in the first `moof`.
  private static func holdsFragment(_ path: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 300_000)
    let count = fread(&bytes, 1, bytes.count, file)
    let name = Array("moof".utf8)
    return count > 4 && (0..<count - 4).contains { Array(bytes[$0..<$0 + 4]) == name }
  }
}
