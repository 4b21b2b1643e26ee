import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// Four members of a programme, of which three are troubled: what each lacks is named to the picture, and nobody else lacks
/// anything.
@Suite(.busyRealTime) struct ProgrammeFaultTests {
  private let folder = ScratchFolder()
  private static let names = ["Frozen", "Killed", "Resized", "Well"]
  private static let (size, otherSize) = ("320x180", "640x360")
  private static let picture = 1.0 / 30
  private static let noticeable = 0.5
  /// A source that stands still is noticed after a second. A tile that a busy machine holds up for less may go unnamed.
  private static let surelyNamed = 1.5

  private func publish(
    _ name: String, at server: NginxRTMP, size: String = Self.size
  ) throws -> HoldfastSubject {
    let source = try HoldfastSubject.farEnd(
      to: server.url("append", name), name: name, ["--size", size], in: ScratchFolder()
    ).whenLive()
    #expect(source.reports("output", "publishing"))
    return source
  }

  @Test
  func `one is frozen, one killed, one comes back in another size: each gap is named within two pictures`()
    throws
  {
    let far = ScratchFolder()
    let server = try NginxRTMP(in: far)
    var sources: [String: HoldfastSubject] = [:]
    for name in Self.names { sources[name] = try publish(name, at: server) }
    let tiles = Self.names.flatMap { ["--tile", "\($0)=\(server.url("append", $0))"] }
    let programme = try HoldfastSubject(
      options: ["--video", "grid", "--audio", "grid", "--size", "640x360", "--bitrate", "3M"] + tiles,
      in: folder
    ).whenLive()
    #expect(programme.play(3))

    func reports(_ name: String, _ state: String) -> Bool {
      eventually {
        programme.events("tile").contains { event in
          ["tile", "track", "state"].map { event[$0] as? String } == [name, "video", state]
        }
      }
    }
    sources["Frozen"]?.signal(SIGSTOP)
    #expect(reports("Frozen", "lost") && programme.play(1), "\(programme.log)")
    sources["Frozen"]?.signal(SIGCONT)
    #expect(reports("Frozen", "back"), "\(programme.log)")
    for (name, size) in [("Killed", Self.size), ("Resized", Self.otherSize)] {
      sources[name]?.kill()
      #expect(reports(name, "lost") && programme.play(1), "\(programme.log)")
      sources[name] = try publish(name, at: server, size: size)
      #expect(reports(name, "back"), "\(programme.log)")
    }
    #expect(programme.play(2))
    programme.finish()
    for source in sources.values { source.kill() }
    #expect(programme.status == 0 && programme.events("interrupted").isEmpty, "\(programme.log)")

    for (number, name) in Self.names.enumerated() { try check(name, number, programme) }
    // What is under no member's name, a busy machine has left out.
    let own = programme.events("gap").filter { $0["member"] == nil }
    #expect(own.allSatisfy(EventLines.isLateness), "\(own)")
    let marks = try RecordingMarks(path: try #require(programme.recording))
    let steps = marks.steps.map { $0 / Self.picture }
    #expect(steps.allSatisfy { abs($0 - $0.rounded()) < 0.06 }, "\(steps)")
    #expect(steps.map { Int($0.rounded()) - 1 }.reduce(0, +) <= Self.leftOut(programme), "\(own)")
  }

  /// The pictures that the programme itself lacks.
  private static func leftOut(_ programme: HoldfastSubject) -> Int {
    let lost = programme.lines.lost("video") { $0["member"] == nil }.reduce(0, +)
    return Int((lost / 1000 / picture).rounded())
  }

  /// Compares a member's gaps with when its tile stood still or showed a slate.
  private func check(_ name: String, _ number: Int, _ programme: HoldfastSubject) throws {
    let sizes = name == "Resized" ? [Self.size, Self.otherSize] : [Self.size]
    let shown = try pictures(of: number, in: sizes, programme)
    let absences = Self.absences(in: shown)
    let gaps = programme.events("gap").filter { $0["member"] as? String == name }.compactMap {
      gap -> ClosedRange<Double>? in
      guard let at = gap["mediaAt"] as? Double, let lost = lostMs(gap, "video") else { return nil }
      return at / 1000...(at + lost) / 1000
    }
    // On a busy machine anybody may stand still for longer, if it is named as well.
    #expect(name == "Well" || !absences.isEmpty && !gaps.isEmpty, "\(gaps)")
    let tolerance = Double(2 + Self.leftOut(programme)) * Self.picture + 0.001
    for absence in absences where absence.upperBound - absence.lowerBound > Self.noticeable + tolerance {
      let named = gaps.filter { $0.overlaps(absence) }
      if named.isEmpty, absence.upperBound - absence.lowerBound < Self.surelyNamed + tolerance { continue }
      #expect(
        named.first.map { abs($0.lowerBound - absence.lowerBound) <= tolerance } == true
          && named.last.map { abs($0.upperBound - absence.upperBound) <= tolerance } == true,
        """
        \(name): \(gaps), in the picture \(absence), of which \
        \(shown.count { $0.mark == nil && absence.contains($0.time.seconds) }) unreadable
        \(programme.log)
        """)
    }
    for gap in gaps where gap.upperBound - gap.lowerBound > Self.noticeable + tolerance {
      #expect(absences.contains { $0.overlaps(gap) }, "\(name): \(gap), in the picture \(absences)")
    }
  }

  /// What the tile shows in each picture of the programme, whichever of `sizes` its source had.
  private func pictures(
    of number: Int, in sizes: [String], _ programme: HoldfastSubject
  ) throws -> [MarkedPicture] {
    let recording = try #require(programme.recording)
    let readings = try sizes.map { size in
      let scaled = "scale=\(size.replacingOccurrences(of: "x", with: ":"))"
      let filter = "crop=320:180:\(number % 2 * 320):\(number / 2 * 180),\(scaled)"
      let options = "-i \(recording) -an -vf \(filter) -c:v libx264 -preset ultrafast -crf 12"
      let tile = try Tool.ffmpeg(options, to: folder.file("tile-\(number)-\(size).mp4"))
      return try RecordingMarks(path: tile).pictures
    }
    return readings[0].enumerated().map { index, picture in
      MarkedPicture(time: picture.time, mark: readings.lazy.compactMap { $0[index].mark }.first)
    }
  }

  /// From the first picture that shows nothing new to the next that does, where that takes long.
  private static func absences(in pictures: [MarkedPicture]) -> [ClosedRange<Double>] {
    var newest: (number: UInt32, at: Double)?
    var found: [ClosedRange<Double>] = []
    for picture in pictures {
      guard let number = picture.mark?.number, number != newest?.number else { continue }
      let time = picture.time.seconds
      if let newest, time - newest.at > noticeable { found.append(newest.at + Self.picture...time) }
      newest = (number, time)
    }
    return found
  }
}
