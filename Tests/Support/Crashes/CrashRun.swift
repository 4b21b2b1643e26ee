import Foundation
import Glibc
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestRandomness

/// A broadcast whose process is killed repeatedly and restarted each time, as by systemd.
package final class CrashRun {
  private let folder: ScratchFolder
  private let server: NginxRTMP
  private var random: SplitMix64
  package let seed: UInt64
  package private(set) var subject: HoldfastSubject
  private var lives: [(start: MonotonicTime, end: MonotonicTime?)] = [(.now, nil)]
  /// How often earlier processes have been live.
  private var startsBefore = 0

  package static let stream = "crash"

  /// Returns once the broadcast is live. The same `seed` kills at the same times.
  package init(seed: UInt64, options: [String] = [], in folder: ScratchFolder) throws {
    self.folder = folder
    self.seed = seed
    random = SplitMix64(seed: seed)
    server = try NginxRTMP(in: folder)
    subject = try HoldfastSubject(to: [server.url("typed", Self.stream)], options: options, in: folder)
    _ = subject.reports("live")
    // Waits for about a second of media in both files.
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
    startsBefore = starts
    subject = try subject.restarted(with: further, environment: environment)
  }

  /// Kills the process at `count` random times, also while it resumes; calls `check` after each kill.
  package func killAgainAndAgain(_ count: Int, check: (Int) throws -> Void = { _ in }) throws {
    for number in 1...count {
      sleep(.random(in: 0...2, using: &random))
      kill()
      try check(number)
      sleep(.random(in: 0...0.5, using: &random))
      try restart()
    }
  }

  private var starts: Int { subject.events("resumed").count + subject.events("live").count }

  package func finish(after seconds: Double = 1.5) {
    if eventually({ starts > startsBefore }), seconds > 0 { _ = subject.play(seconds) }
    subject.finish()
  }

  private func sleep(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }

  package var broadcasts: Set<String> {
    Set(
      ["live", "resumed", "ended", "interrupted"].flatMap { subject.events($0) }
        .compactMap { $0["broadcast"] as? String })
  }

  package var recordings: [String] { folder.recordings }
  package var serverFile: String { server.recording("typed", Self.stream) }
  package var publishes: [String] { server.publishes().map(\.type) }

  package var journals: [String] {
    let place = folder.file("state/holdfast/holdfast")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { place + "/" + $0 }
  }

  /// The entries of the last journal; a torn entry is empty.
  private var entries: [[String: Any]] {
    journals.last.map(lines(ofFile:))?.map { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) ?? [:]
    } ?? []
  }

  /// The length of each interruption by the journal, in seconds.
  package var reportedGaps: [Double] { interruptions.map(\.length) }

  /// The same lengths, with interruptions merged if nothing was recorded between them.
  package var mergedGaps: [Double] {
    var result: [(length: Double, media: Int)] = []
    for one in interruptions {
      let isSame = result.last?.media == one.media
      let before = isSame ? result.removeLast().length : 0
      result.append((before + one.length, one.media))
    }
    return result.map(\.length)
  }

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

  /// The length of each interruption by the picture marks of the recording, in seconds.
  package func missing() throws -> [Double] {
    let pictures = try RecordingMarks(path: try recording()).pictures
    return zip(pictures, pictures.dropFirst()).compactMap { one, next in
      guard let first = one.mark?.captureTime, let second = next.mark?.captureTime else { return nil }
      let length = ((second - first) - (next.time - one.time)).seconds
      return length > 0.05 ? length : nil
    }
  }

  /// The pictures due before each kill that the recording lacks; nil for a process that recorded none.
  package func lostPictures() throws -> [Int?] {
    let captures = try RecordingMarks(path: try recording()).captures
    return lives.compactMap { life in
      guard let end = life.end else { return nil }
      let last = captures.last { life.start < $0 && $0 <= end }
      return .some(last.map { Int((end - $0).seconds * 30) })
    }
  }

  package func recording() throws -> String { try folder.recording() }
}
