package import Foundation
import Glibc

package enum Tool {
  /// Runs `arguments` to the end and returns the output; throws if it fails.
  @discardableResult
  package static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
    let process = Process(arguments, environment: environment)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.start()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let output = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw TestFailure("\(arguments.joined(separator: " ")): status \(process.terminationStatus)\n\(output)")
    }
    return output
  }

  package static func isThere(_ name: String) -> Bool {
    (try? run(["sh", "-c", "command -v \(name)"])) != nil
  }

  /// The streams of a file by ffprobe, as key-value pairs.
  package static func probe(_ path: String, count: Bool = false) throws -> [[String: String]] {
    let text = try run(
      ["ffprobe", "-v", "error", "-show_streams"] + (count ? ["-count_packets"] : []) + [path])
    return text.components(separatedBy: "[STREAM]").dropFirst().map { pairs($0.split(separator: "\n")) }
  }

  /// What ffprobe shows of a file, such as `packet=dts_time,size`: the fields of each line. `stream` chooses one.
  package static func probe(
    _ path: String, _ entries: String, of stream: String? = nil, options: [String] = []
  ) throws -> [[Substring]] {
    let chosen = stream.map { ["-select_streams", $0] } ?? []
    let text = try run(
      ["ffprobe", "-v", "error"] + chosen + options + ["-show_entries", entries, "-of", "csv=p=0", path])
    return text.split(separator: "\n").map { $0.split(separator: ",") }
  }

  /// Parses `key=value` in each of `words`.
  static func pairs(_ words: [Substring]) -> [String: String] {
    let pairs = words.map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
    return Dictionary(pairs.map { (String($0[0]), String($0[1])) }) { $1 }
  }
}

extension Process {
  /// A command without standard input and output, and with `environment` added to that of the tests.
  convenience init(_ command: [String], environment: [String: String]) {
    self.init()
    executableURL = URL(fileURLWithPath: "/usr/bin/env")
    arguments = command
    self.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    standardInput = FileHandle.nullDevice
    standardOutput = FileHandle.nullDevice
  }

  /// Starts the process with no signal blocked: it would inherit the signal mask of a Dispatch thread, which
  /// blocks them.
  package func start() throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try run()
  }
}
