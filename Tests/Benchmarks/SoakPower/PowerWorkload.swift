import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// What is done on a disk whose writes are logged: recordings, segments, ends, repairs and an export.
struct PowerWorkload {
  struct Phase {
    enum Kind: String, CaseIterable { case recording, segments, repairing, exporting }

    let kind: Kind
    let begin: MonotonicTime
    /// When the first file of a recording was open.
    var open: MonotonicTime?
    /// When it was told to end.
    var stop: MonotonicTime?
    var end: MonotonicTime
    var syncEvery = MediaTime.seconds(1)
  }

  private(set) var phases: [Phase] = []
  private(set) var longestSync = MediaTime.zero
  /// Samples in the damaged copies, by file name.
  private(set) var samples: [String: Int] = [:]
  let mount: String
  private let trace: String

  static let sources = [
    "--video", "test", "--audio", "tone", "--size", "320x180", "--bitrate", "800k", "--name", "power",
    "--disk-reserve", "16M",
  ]

  init(on disk: LoggedDisk) throws {
    mount = disk.mountPoint
    trace = disk.folder.file("syncs")
    for name in ["recordings", "copies"] {
      try FileManager.default.createDirectory(atPath: "\(mount)/\(name)", withIntermediateDirectories: true)
    }
    try record(.recording, for: 7, syncEvery: .seconds(1), ["--gop", "4s"])
    try record(.segments, for: 8, syncEvery: .milliseconds(250), ["--gop", "500ms", "--segment", "1500ms"])
    try prepareCopies()
    let (mount, names) = (mount, samples.keys.sorted())
    try during(.repairing) {
      for name in names {
        try Tool.run([HoldfastProcess.program.path, "repair", "--in-place", "\(mount)/copies/\(name)"])
      }
    }
    let recordings = try FileManager.default.contentsOfDirectory(atPath: "\(mount)/recordings").sorted()
    try during(.exporting) {
      try Tool.run([
        HoldfastProcess.program.path, "export", "\(mount)/recordings/\(recordings[0])", "--output",
        "\(mount)/exported.mp4",
      ])
    }
  }

  private mutating func record(
    _ kind: Phase.Kind, for seconds: Double, syncEvery: MediaTime, _ options: [String]
  ) throws {
    var phase = Phase(kind: kind, begin: .now, end: .now, syncEvery: syncEvery)
    let launcher = [
      "/usr/bin/strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", "trace=fdatasync", "-T", "-o", trace,
    ]
    let process = try HoldfastProcess(
      [
        "publish", "--record", "\(mount)/recordings", "--sync-every",
        "\(syncEvery.nanoseconds / 1_000_000)ms",
      ]
        + Self.sources + ["--events", "-"] + options,
      launcher: launcher, environment: ["XDG_STATE_HOME": "\(mount)/state"])
    guard process.waitForOutput("\"state\":\"open\",\"") || process.waitForOutput("\"event\":\"recording\"")
    else { throw TestFailure("no recording: \(process.result().errors)") }
    phase.open = .now
    pause(MediaTime(seconds: seconds))
    phase.stop = .now
    let result = process.end()
    guard result.status == 0 else { throw TestFailure("the recording failed: \(result.errors)") }
    phase.end = .now
    phases.append(phase)
    noteSyncs()
  }

  /// `123 fdatasync(7) = 0 <0.001234>`
  private mutating func noteSyncs() {
    let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") where line.hasSuffix(">") {
      guard let start = line.lastIndex(of: "<"), let seconds = Double(line[start...].dropFirst().dropLast())
      else { continue }
      longestSync = max(longestSync, MediaTime(seconds: seconds))
    }
  }

  private mutating func during(_ kind: Phase.Kind, _ body: () throws -> Void) throws {
    let begin = MonotonicTime.now
    try body()
    // Until its last writes are in the log.
    try Tool.run(["sync", "--file-system", mount])
    phases.append(Phase(kind: kind, begin: begin, end: .now))
  }

  /// A copy that was cut off, and one with damage in the middle.
  private mutating func prepareCopies() throws {
    let recording = try FileManager.default.contentsOfDirectory(atPath: "\(mount)/recordings").sorted()[0]
    let whole = try Data(contentsOf: URL(fileURLWithPath: "\(mount)/recordings/\(recording)"))
    let cut = whole.prefix(whole.count * 4 / 5)
    var damaged = whole
    for place in whole.count * 9 / 10..<whole.count * 9 / 10 + 300 { damaged[place] = 0x5A }
    for (name, content) in [("cut.mp4", Data(cut)), ("damaged.mp4", damaged)] {
      try content.write(to: URL(fileURLWithPath: "\(mount)/copies/\(name)"))
      samples[name] = try RecordingState(path: "\(mount)/copies/\(name)").samples
    }
    try Tool.run(["sync", "--file-system", mount])
  }
}
