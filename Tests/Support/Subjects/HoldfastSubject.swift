import Foundation
package import Glibc
import HoldfastMediaModel
import HoldfastPlatform

package final class HoldfastSubject: Subject, @unchecked Sendable {  // guarded by `lock`
  package static let title = "holdfast"
  package static let application = "typed"
  package static let marksCarryClock = true

  private let addresses: [String]
  private let environment: [String: String]
  private let options: [String]
  private let folder: ScratchFolder
  private let process: HoldfastProcess
  private let events: String
  private let lock = NSLock()
  private var eventLog: EventLog
  private var result: HoldfastProcess.Result?
  /// The offset from the wall clock to the monotonic clock, in seconds.
  private let toMonotonic: Double

  package convenience init(to addresses: [String], environment: [String: String], in folder: ScratchFolder)
    throws
  {
    try self.init(to: addresses, environment: environment, options: [], in: folder)
  }

  /// `options` and `environment` override the common ones.
  package init(
    to addresses: [String] = [], environment: [String: String] = [:], options: [String] = [],
    in folder: ScratchFolder
  ) throws {
    (self.addresses, self.environment, self.options, self.folder) = (addresses, environment, options, folder)
    events = folder.file("events")
    eventLog = EventLog(path: events)
    toMonotonic = MonotonicTime.now.seconds - Date().timeIntervalSince1970
    let usual = [
      "--size": "320x180", "--fps": "30", "--bitrate": "500k", "--audio-bitrate": "64k", "--duration": "120s",
      "--events": events, "--record": folder.path, "--video": "test", "--audio": "tone",
    ].filter { !options.contains($0.key) }
    process = try HoldfastProcess(
      ["publish"] + usual.flatMap { [$0.key, $0.value] } + options
        + addresses.flatMap { ["--to", $0] },
      environment: ["XDG_STATE_HOME": folder.file("state")].merging(environment) { $1 })
  }

  /// The test picture and tone, published to `address` for others to play, and recorded nowhere.
  package static func farEnd(
    to address: String, name: String = "far", _ options: [String] = [], in folder: ScratchFolder
  ) throws -> HoldfastSubject {
    try HoldfastSubject(
      to: [address], options: ["--record", "off", "--gop", "500ms", "--name", name] + options, in: folder)
  }

  package func restarted(
    with further: [String] = [], environment more: [String: String] = [:]
  ) throws -> HoldfastSubject {
    try HoldfastSubject(
      to: addresses, environment: environment.merging(more) { $1 }, options: options + further, in: folder)
  }

  /// A test that fails midway leaves no process behind.
  deinit {
    if !process.hasEnded { process.signal(SIGKILL) }
  }

  package var lines: EventLines { lock.withLock { eventLog.read() } }

  package func events(_ name: String) -> [[String: Any]] { lines.named(name) }

  /// The values of a text field in the events of that name.
  package func values(_ field: String, of event: String) -> [String] {
    events(event).compactMap { $0[field] as? String }
  }

  /// Waits until an event with that state has been reported `times` times; false on timeout.
  package func reports(_ event: String, _ state: String? = nil, times: Int = 1) -> Bool {
    eventually { events(event).count { state == nil || $0["state"] as? String == state } >= times }
  }

  private func require(_ event: String, times: Int) throws {
    guard reports(event, times: times) else { throw TestFailure("not \(event): \(log)") }
  }

  /// Waits until the broadcast is live.
  package func whenLive() throws -> HoldfastSubject {
    try require("live", times: 1)
    return self
  }

  /// Interrupts the broadcast by a signal; `times` counts all interruptions so far.
  package func interrupt(times: Int = 1) throws {
    signal(SIGUSR1)
    try require("interrupted", times: times)
  }

  package func resume(times: Int = 1) throws {
    signal(SIGUSR2)
    try require("resumed", times: times)
  }

  /// Resumes an interrupted broadcast, and interrupts it again after a pause; false if it is not interrupted then.
  package func interruptReturn(after pause: useconds_t) -> Bool {
    signal(SIGUSR2)
    // The kernel delivers pending signals by number, not by arrival.
    guard eventually(every: 1000, { !hasPending(SIGUSR2) }) else { return false }
    // How far the return has come by then is what is tried.
    usleep(pause)
    signal(SIGUSR1)
    // A return that has not begun yet is cancelled without a word.
    return eventually {
      !hasPending(SIGUSR1) && (try? controlStatus()["state"] as? String) == "interrupted"
    }
  }

  package func changes(ofOutputTo port: UInt16) -> [OutputChange] {
    lines.outputChanges(to: port, wallToMonotonic: toMonotonic)
  }

  /// Waits until the last state of the output to `port` is `state`; false on timeout.
  package func reports(_ state: String, ofOutputTo port: UInt16) -> Bool {
    eventually { changes(ofOutputTo: port).last?.state == state }
  }

  package func signal(_ number: Int32) { process.signal(number) }

  /// The process has not taken this signal yet.
  private func hasPending(_ number: Int32) -> Bool {
    TestSupport.lines(ofFile: "/proc/\(identifier)/status").contains { line in
      let words = line.split(separator: "\t")
      guard words.first == "ShdPnd:", let pending = words.last.flatMap({ UInt64($0, radix: 16) }) else {
        return false
      }
      return pending & 1 << UInt64(number - 1) != 0
    }
  }

  @discardableResult
  package func ctl(_ arguments: String...) throws -> HoldfastProcess.Result { try ctl(arguments) }

  @discardableResult
  package func ctl(_ arguments: [String]) throws -> HoldfastProcess.Result { try process.ctl(arguments) }

  /// Reads the status from the control socket directly, so that tests can poll it.
  package func controlStatus() throws -> [String: Any] { try process.controlStatus() }

  package func mediaTime() throws -> Double {
    guard let milliseconds = try controlStatus()["mediaTimeMs"] as? Double else {
      throw TestFailure("it has no media time")
    }
    return milliseconds / 1000
  }

  /// Waits until media time has advanced by `seconds`; false on timeout.
  package func play(_ seconds: Double) -> Bool {
    guard eventually(every: 20_000, { (try? controlStatus()["state"] as? String) == "live" }),
      let stale = try? mediaTime(),
      // Right after a start the reported time may be stale.
      eventually(every: 20_000, { ((try? mediaTime()) ?? 0) > stale }),
      let start = try? mediaTime()
    else { return false }
    return eventually(every: 20_000) { ((try? mediaTime()) ?? 0) >= start + seconds }
  }

  package var identifier: pid_t { process.identifier }

  package var hasEnded: Bool { process.hasEnded }

  package var isStopped: Bool { process.isStopped }

  package func finish() { end { process.signal(SIGINT) } }

  package func waitForEnd() { end {} }

  private func end(_ ask: () -> Void) {
    lock.withLock {
      guard result == nil else { return }
      ask()
      result = process.result()
    }
  }

  /// Kills the process with SIGKILL, as the OOM killer does.
  package func kill() {
    signal(SIGKILL)
    waitForEnd()
  }

  package var status: Int32? { lock.withLock { result?.status } }

  package var recording: String? { folder.recordings.first }

  package var uncapturedPictures: Int { lines.uncapturedPictures }

  package var interruptedPictures: Double { lines.lostPictures { $0["cause"] as? String == "user" } }

  /// The difference between the pictures missing from `media` and those reported as lost.
  package func unexplainedLosses(in media: ServerMedia) -> Double {
    abs(Double(media.missingPictures - uncapturedPictures) - interruptedPictures)
  }

  package var log: String {
    let text = (try? String(contentsOfFile: events, encoding: .utf8)) ?? ""
    return text + lock.withLock { result?.errors ?? "" }
  }
}
