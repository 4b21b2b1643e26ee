internal import Foundation
package import Glibc
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// The program under test.
package final class HoldfastSubject: Subject, @unchecked Sendable {  // guarded by `lock`
  package static let title = "holdfast"
  package static let application = "typed"
  package static let marksTellClock = true

  private let addresses: [String]
  private let environment: [String: String]
  private let options: [String]
  private let folder: ScratchFolder
  private let process: HoldfastProcess
  private let events: String
  private let lock = NSLock()
  private var log: EventLog
  private var result: HoldfastProcess.Result?
  /// What has to be added to the wall clock's time to get the monotonic one's.
  private let toMonotonic: Double

  package convenience init(to addresses: [String], environment: [String: String], in folder: ScratchFolder)
    throws
  {
    try self.init(to: addresses, environment: environment, options: [], in: folder)
  }

  /// `options` and `environment` win over those that every subject has.
  package init(
    to addresses: [String] = [], environment: [String: String] = [:], options: [String] = [],
    in folder: ScratchFolder
  ) throws {
    (self.addresses, self.environment, self.options, self.folder) = (addresses, environment, options, folder)
    events = folder.file("events")
    log = EventLog(path: events)
    toMonotonic = MonotonicTime.now.seconds - Date().timeIntervalSince1970
    let usual = [
      "--size": "320x180", "--fps": "30", "--bitrate": "500k", "--duration": "120s", "--events": events,
      "--record": folder.path, "--video": "test", "--audio": "tone",
    ].filter { !options.contains($0.key) }
    process = try HoldfastProcess(
      ["publish"] + usual.flatMap { [$0.key, $0.value] } + options
        + addresses.flatMap { ["--to", $0] },
      environment: ["XDG_STATE_HOME": folder.file("state")].merging(environment) { $1 })
  }

  /// Starts another process of the same broadcast, as a service manager would.
  package func restarted(
    with further: [String] = [], environment more: [String: String] = [:]
  ) throws -> HoldfastSubject {
    try HoldfastSubject(
      to: addresses, environment: environment.merging(more) { $1 }, options: options + further, in: folder)
  }

  /// A test that fails in the middle leaves nothing running.
  deinit {
    if !process.hasEnded { process.signal(SIGKILL) }
  }

  package var lines: EventLines { lock.withLock { log.read() } }

  package func events(_ name: String) -> [[String: Any]] { lines.named(name) }

  /// The text in a field of each event of that name that has the field.
  package func values(_ field: String, of event: String) -> [String] {
    events(event).compactMap { $0[field] as? String }
  }

  /// Waits until an event has been reported, with that state, so many times; false when that takes too long.
  package func reports(_ event: String, _ state: String? = nil, times: Int = 1) -> Bool {
    eventually { events(event).count { state == nil || $0["state"] as? String == state } >= times }
  }

  package func changes(ofOutputTo port: UInt16) -> [OutputChange] {
    lines.outputChanges(to: port, wallToMonotonic: toMonotonic)
  }

  /// Waits until the newest state of the output to `port` is `state`; false when that takes too long.
  package func reports(_ state: String, ofOutputTo port: UInt16) -> Bool {
    eventually { changes(ofOutputTo: port).last?.state == state }
  }

  package func signal(_ number: Int32) {
    process.signal(number)
  }

  @discardableResult
  package func ctl(_ arguments: String...) throws -> HoldfastProcess.Result { try ctl(arguments) }

  @discardableResult
  package func ctl(_ arguments: [String]) throws -> HoldfastProcess.Result { try process.ctl(arguments) }

  /// What its control socket says of it, without a `ctl` for it: a test may ask many times a second.
  package func controlStatus() throws -> [String: Any] { try process.controlStatus() }

  package func mediaTime() throws -> Double {
    guard let milliseconds = try controlStatus()["mediaTimeMs"] as? Double else {
      throw TestFailure("it has no media time")
    }
    return milliseconds / 1000
  }

  /// Waits until so many seconds of media have gone by; false when that takes too long.
  package func play(_ seconds: Double) -> Bool {
    guard eventually(every: 20_000, { (try? controlStatus()["state"] as? String) == "live" }),
      let stale = try? mediaTime(),
      // What is reported right after a start may be from before it.
      eventually(every: 20_000, { ((try? mediaTime()) ?? 0) > stale }),
      let start = try? mediaTime()
    else { return false }
    return eventually(every: 20_000) { ((try? mediaTime()) ?? 0) >= start + seconds }
  }

  package var identifier: pid_t { process.identifier }

  package var hasEnded: Bool { process.hasEnded }

  /// Somebody, or it itself, has stopped the process until it is continued.
  package var isStopped: Bool { process.isStopped }

  package func finish() {
    end { process.signal(SIGINT) }
  }

  /// For one that ends by itself.
  package func waitForEnd() {
    end {}
  }

  private func end(_ ask: () -> Void) {
    lock.withLock {
      guard result == nil else { return }
      ask()
      result = process.result()
    }
  }

  /// As a crash or the kernel's lack of memory would.
  package func kill() {
    signal(SIGKILL)
    waitForEnd()
  }

  /// How it ended; nil while it runs.
  package var status: Int32? { lock.withLock { result?.status } }

  package var recording: String? { folder.recordings.first }

  package var picturesNeverTaken: Int { lines.picturesNeverTaken }

  /// Pictures that interruptions by the user are said to have cost.
  package var lostToUser: Double { lines.lostPictures { $0["cause"] as? String == "user" } }

  package var said: String {
    let text = (try? String(contentsOfFile: events, encoding: .utf8)) ?? ""
    return text + lock.withLock { result?.errors ?? "" }
  }
}
