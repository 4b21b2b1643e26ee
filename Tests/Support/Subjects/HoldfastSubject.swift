internal import Foundation
package import Glibc
internal import HoldfastMediaModel

/// The program under test.
package final class HoldfastSubject: Subject, @unchecked Sendable {  // guarded by `lock`
  package static let title = "holdfast"
  package static let application = "typed"
  package static let marksTellClock = true

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

  /// `options` win over those that every subject has.
  package init(
    to addresses: [String], environment: [String: String] = [:], options: [String], in folder: ScratchFolder
  ) throws {
    self.folder = folder
    events = folder.file("events")
    log = EventLog(path: events)
    toMonotonic = MonotonicTime.read().seconds - Date().timeIntervalSince1970
    let usual = [
      "--size": "320x180", "--fps": "30", "--bitrate": "500k", "--duration": "120s", "--events": events,
      "--record": folder.path, "--video": "test", "--audio": "tone",
    ].filter { !options.contains($0.key) }
    process = try HoldfastProcess(
      ["publish"] + usual.flatMap { [$0.key, $0.value] } + options
        + addresses.flatMap { ["--to", $0] }, environment: environment)
  }

  /// A test that fails in the middle leaves nothing running.
  deinit {
    if !process.hasEnded { process.signal(SIGKILL) }
  }

  package func changes(ofOutputTo port: UInt16) -> [OutputChange] {
    lines.outputChanges(to: port, wallToMonotonic: toMonotonic)
  }

  private var lines: EventLines { lock.withLock { log.read() } }

  package func signal(_ number: Int32) {
    process.signal(number)
  }

  /// Runs `holdfast ctl` with it.
  @discardableResult
  package func ctl(_ arguments: String...) throws -> HoldfastProcess.Result { try ctl(arguments) }

  @discardableResult
  package func ctl(_ arguments: [String]) throws -> HoldfastProcess.Result { try process.ctl(arguments) }

  /// What its control socket says of it, without a `ctl` for it: a test may ask many times a second.
  package func controlStatus() throws -> [String: Any] { try process.controlStatus() }

  package func mediaTime() throws -> Double {
    guard let milliseconds = try controlStatus()["mediaTimeMs"] as? Double else {
      throw Peers.NotReady(description: "it has no media time")
    }
    return milliseconds / 1000
  }

  /// Waits until so many seconds of media have gone by; false when that takes too long.
  package func play(_ seconds: Double) -> Bool {
    guard Peers.wait(every: 20_000, until: { (try? controlStatus()["state"] as? String) == "live" }),
      let stale = try? mediaTime(),
      // What is told right after a start may be from before it.
      Peers.wait(every: 20_000, until: { ((try? mediaTime()) ?? 0) > stale }),
      let start = try? mediaTime()
    else { return false }
    return Peers.wait(every: 20_000) { ((try? mediaTime()) ?? 0) >= start + seconds }
  }

  package var identifier: pid_t { process.identifier }

  /// By itself, too.
  package var hasEnded: Bool { process.hasEnded }

  /// Somebody, or it itself, has stopped the process until it is continued.
  package var isStopped: Bool { process.isStopped }

  /// The event lines of that name.
  package func events(_ name: String) -> [[String: Any]] { lines.named(name) }

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

  /// How it ended; nil while it runs.
  package var status: Int32? { lock.withLock { result?.status } }

  package var recording: String? { folder.recordings.first }

  package var picturesNeverTaken: Int {
    let told = lines.named("gap").filter {
      $0["output"] as? String == nil && $0["cause"] as? String != "user"
    }
    let lost = told.reduce(0) { $0 + (($1["lostMs"] as? [String: Double])?["video"] ?? 0) }
    return Int((lost * 30 / 1000).rounded())
  }

  package var said: String {
    let text = (try? String(contentsOfFile: events, encoding: .utf8)) ?? ""
    return text + lock.withLock { result?.errors ?? "" }
  }
}

extension HoldfastSubject {
  /// False when `condition` does not come to hold in a time that is long enough for anything.
  package static func wait(until condition: () -> Bool) -> Bool {
    Peers.wait(until: condition)
  }
}
