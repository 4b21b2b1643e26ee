internal import Foundation
internal import Glibc
internal import HoldfastMarks
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// A broadcast whose process is killed again and again, and started again each time as systemd would, until it is asked
/// to end.
package final class CrashRun {
  private let folder: ScratchFolder
  private let server: NginxRTMP
  private var random: SeededRandom
  package let seed: UInt64
  package private(set) var subject: HoldfastSubject
  private var lives: [(start: MonotonicTime, end: MonotonicTime?)] = []

  package static let stream = "crash"

  /// A broadcast that is live. The same `seed` kills at the same moments.
  package init(seed: UInt64, options: [String] = [], in folder: ScratchFolder) throws {
    self.folder = folder
    self.seed = seed
    random = SeededRandom(state: seed)
    server = try NginxRTMP(in: folder)
    lives = [(.now, nil)]
    subject = try HoldfastSubject(to: [server.url("typed", Self.stream)], options: options, in: folder)
    _ = subject.reports("live")
    // A second of it or more is in either file.
    _ = eventually { [server] in
      let files = folder.recordings + [server.recording("typed", Self.stream)]
      return files.count == 2 && files.allSatisfy { fileSize($0) > 60_000 }
    }
  }

  package func kill() {
    lives[lives.count - 1].end = .now
    subject.kill()
  }

  package func restart(with further: [String] = [], environment: [String: String] = [:]) throws {
    lives.append((.now, nil))
    subject = try subject.restarted(with: further, environment: environment)
  }

  /// Kills it at `count` random moments, also while it resumes; calls `check` after each.
  package func killAgainAndAgain(_ count: Int, check: (Int) throws -> Void = { _ in }) throws {
    for number in 1...count {
      sleep(.random(in: 0...2, using: &random))
      kill()
      try check(number)
      sleep(.random(in: 0...0.5, using: &random))
      try restart()
    }
  }

  /// Lets it run on for a while, and asks it to end.
  package func finish(after seconds: Double = 1.5) {
    func starts() -> Int { subject.events("resumed").count + subject.events("live").count }
    let before = starts()
    let isOnAir = eventually {
      entries.last?["event"] as? String == "checkpoint" || starts() > before
    }
    if isOnAir { sleep(seconds) }
    subject.finish()
  }

  private func sleep(_ seconds: Double) {
    usleep(UInt32(seconds * 1e6))
  }

  // What it came to:

  package var broadcasts: Set<String> {
    Set(
      ["live", "resumed", "ended", "interrupted"].flatMap { subject.events($0) }
        .compactMap { $0["broadcast"] as? String })
  }

  package var recordings: [String] { folder.recordings }
  package var serverFile: String { server.recording("typed", Self.stream) }
  package var publishes: [String] { server.publishes().map(\.type) }

  /// The journals' files, the oldest first.
  package var journals: [String] {
    let place = folder.file("state/holdfast/holdfast")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { place + "/" + $0 }
  }

  /// Of the last journal; an entry that is torn is empty.
  private var entries: [[String: Any]] {
    journals.last.map(lines(ofFile:))?.map { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) ?? [:]
    } ?? []
  }

  /// How long nothing was captured, each time, as the journal has it. In seconds.
  package var told: [Double] { interruptions.map(\.length) }

  /// The same, where nothing was recorded between two of them taken as one.
  package var toldAsOne: [Double] {
    var result: [(length: Double, media: Int)] = []
    for one in interruptions {
      let isSame = result.last?.media == one.media
      let before = isSame ? result.removeLast().length : 0
      result.append((before + one.length, one.media))
    }
    return result.map(\.length)
  }

  /// How many gaps of outputs, and of sources, the journal has.
  package var otherGaps: Int { entries.count { $0["event"] as? String == "gap" } }

  private var interruptions: [(length: Double, media: Int)] {
    var lengths: [(length: Double, media: Int)] = []
    var since: Double?
    for line in entries {
      guard let time = (line["bootNs"] as? Int).map({ Double($0) / 1e9 }) else { continue }
      switch line["event"] as? String {
      case "interrupted": since = since ?? time
      case "resumed":
        if let begin = since { lengths.append((time - begin, line["mediaNs"] as? Int ?? 0)) }
        since = nil
      default: break
      }
    }
    return lengths
  }

  /// The same as one, as the pictures of the recording have it.
  package func missing() throws -> [Double] {
    let pictures = try RecordingMarks(path: try recording()).pictures
    return zip(pictures, pictures.dropFirst()).compactMap { one, next in
      guard let first = one.mark?.captureTime, let second = next.mark?.captureTime else { return nil }
      let length = ((second - first) - (next.time - one.time)).seconds
      return length > 0.05 ? length : nil
    }
  }

  /// How many pictures were due before each kill that are not in the recording; nil where the process had not come as far
  /// as to record any.
  package func lostPictures() throws -> [Int?] {
    let captures = try RecordingMarks(path: try recording()).pictures.compactMap { $0.mark?.captureTime }
    return lives.compactMap { life in
      guard let end = life.end else { return nil }
      let last = captures.last { life.start < $0 && $0 <= end }
      return .some(last.map { Int((end - $0).seconds * 30) })
    }
  }

  /// The only one there should be.
  package func recording() throws -> String {
    guard let path = recordings.first else { throw TestFailure("there is no recording") }
    return path
  }
}

private func fileSize(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// Random numbers that a seed decides, the same on every machine.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(state: UInt64) {
    self.state = state
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
