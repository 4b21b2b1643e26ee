package import Foundation
import Glibc
import HoldfastControl
import HoldfastHTTP

package final class HoldfastProcess: @unchecked Sendable {  // guarded by `lock`
  package struct Result: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String
  }

  private enum Stream { case output, errors }

  private let process = Process()
  private let runtime = ScratchFolder()
  private let lock = NSCondition()
  private var said: [Stream: String] = [:]
  private var openPipes = 2

  /// Starts `holdfast` with `arguments`; `launcher` is a command prefix, such as a script that provides a
  /// device.
  package init(
    _ arguments: [String], launcher: [String] = [], environment: [String: String] = [:], directory: URL? = nil
  ) throws {
    let command = launcher + [Self.program.path] + arguments
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("HOLDFAST_") }
    // Separate runtime folders: two broadcasts of one name would reject each other.
    let places = ["XDG_RUNTIME_DIR": runtime.path, "XDG_STATE_HOME": runtime.path + "/state"]
    process.environment = inherited.filter { $0.key != "STATE_DIRECTORY" }.merging(places) { $1 }
      .merging(environment) { $1 }
    process.currentDirectoryURL = directory
    let (outputPipe, errorPipe) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    try process.start()
    read(outputPipe, as: .output)
    read(errorPipe, as: .errors)
  }

  /// The program, which SwiftPM builds next to the test executable.
  package static var program: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("holdfast")
  }

  private func read(_ pipe: Pipe, as stream: Stream) {
    // A thread, because a readability handler occasionally crashes if the pipe is released right after its
    // end.
    let reader = Thread { [self] in
      while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
        lock.withLock {
          said[stream, default: ""] += String(decoding: data, as: UTF8.self)
          lock.broadcast()
        }
      }
      lock.withLock {
        openPipes -= 1
        lock.broadcast()
      }
    }
    reader.start()
  }

  /// Whether the process is stopped (SIGSTOP).
  package var isStopped: Bool { state(ofProcess: identifier) == "T" }

  package var identifier: pid_t { process.processIdentifier }

  /// Whether both output pipes have ended.
  package var hasEnded: Bool { lock.withLock { openPipes == 0 } }

  package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  package func ctl(_ arguments: [String]) throws -> Result {
    try Self.run(["ctl"] + arguments, environment: ["XDG_RUNTIME_DIR": runtime.path])
  }

  package func controlStatus() throws -> [String: Any] {
    let running = ControlSockets.running(environment: ["XDG_RUNTIME_DIR": runtime.path])
    guard let broadcast = running.first(where: { $0.path.hasPrefix(runtime.path) }) else {
      throw TestFailure("it has no control socket")
    }
    let answer = try ControlClient(path: broadcast.path).send(.status)
    return try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any] ?? [:]
  }

  /// Waits until standard output or standard error contains `text`; false if the program ends first.
  @discardableResult
  package func waitForOutput(_ text: String) -> Bool { wait { said.values.contains { $0.contains(text) } } }

  /// The complete lines of standard output so far.
  package func events() throws -> EventLines {
    let text = lock.withLock { said[.output] ?? "" }
    return try EventLines(String(text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]))
  }

  package func result() -> Result {
    _ = wait { false }
    if lock.withLock({ openPipes > 0 }) { signal(SIGKILL) }
    process.waitUntilExit()
    return lock.withLock {
      Result(status: process.terminationStatus, output: said[.output] ?? "", errors: said[.errors] ?? "")
    }
  }

  /// Asks the program to end, by a signal, and waits for its end.
  @discardableResult
  package func end(by number: Int32 = SIGINT) -> Result {
    signal(number)
    return result()
  }

  private func wait(for condition: () -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: testTimeout)
    lock.lock()
    defer { lock.unlock() }
    while !condition(), openPipes > 0 {
      guard lock.wait(until: limit) else { break }
    }
    return condition()
  }

  package static func run(
    _ arguments: [String], launcher: [String] = [], environment: [String: String] = [:]
  ) throws -> Result {
    try HoldfastProcess(arguments, launcher: launcher, environment: environment).result()
  }

  /// Runs the program to its end and returns its output without the trailing newline; throws if it fails.
  @discardableResult
  package static func output(_ arguments: String...) throws -> String {
    let result = try run(arguments)
    guard result.status == 0 else { throw TestFailure("\(arguments): \(result.errors)") }
    return result.output.trimmingCharacters(in: .newlines)
  }
}

package struct FinishedBroadcast {
  package let path: String
  package let events: EventLines
  package let errors: String

  /// Records the test picture and tone unless `options` name other sources; throws if that fails or nothing
  /// is recorded.
  package init(_ options: [String], in folder: ScratchFolder, environment: [String: String] = [:]) throws {
    let usual = [
      "--video": "test", "--audio": "tone", "--audio-bitrate": "64k", "--record": folder.path,
      "--events": "-",
    ].filter { !options.contains($0.key) }
    let result = try HoldfastProcess.run(
      ["publish"] + usual.flatMap { [$0.key, $0.value] } + options, environment: environment)
    guard result.status == 0, let path = folder.recordings.first else {
      throw TestFailure("\(options): status \(result.status)\n\(result.errors)")
    }
    self.path = path
    events = try EventLines(result.output)
    errors = result.errors
  }

  /// The path of a recording from which nothing is missing. What a busy machine leaves gaps in is recorded again.
  package static func whole(_ options: [String], in folder: ScratchFolder) throws -> String {
    while true {
      let broadcast = try FinishedBroadcast(options, in: folder)
      if broadcast.events.named("gap").isEmpty { return broadcast.path }
      try FileManager.default.removeItem(atPath: broadcast.path)
    }
  }

  package var marks: RecordingMarks {
    get throws { try RecordingMarks(path: path) }
  }
}
