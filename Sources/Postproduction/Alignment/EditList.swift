import HoldfastMediaModel

/// An edit list in the form CMX 3600, which has one track: an event for each piece of a recording.
struct EditList: Hashable, Sendable {
  struct Event: Hashable, Sendable {
    /// The name of the file.
    let clip: String
    /// At most eight letters and digits.
    let reel: String
    /// Time in the file.
    let source: Range<MediaTime>
    /// Where it lies, from the beginning of all lists.
    let at: MediaTime
    let wall: WallTime
  }

  let title: String
  /// `AA/V` for pictures and stereo sound.
  let channels: String
  let rate: TimecodeRate
  let events: [Event]

  /// Where editors expect a programme to begin.
  private static let start = MediaTime.seconds(3600)

  var text: String {
    var lines = ["TITLE: \(Self.line(title))", "FCM: NON-DROP FRAME", ""]
    for (number, (index, times)) in placed.enumerated() {
      let event = events[index]
      let columns = [padded(Int64(number + 1), 3), "", Self.column(event.reel, 8), Self.column(channels, 5)]
      let head = (columns + [Self.column("C", 8)]).joined(separator: " ")
      lines.append(head + " " + times.map(rate.timecode).joined(separator: " "))
      lines.append("* FROM CLIP NAME: \(Self.line(event.clip))")
      lines.append("* WALL TIME: \(event.wall.rfc3339)")
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }

  /// The end in timecode; beyond a day there is none.
  var fits: Bool { (placed.last?.times[3] ?? 0) <= rate.framesPerDay }

  /// The events that are a frame long or more, with source and record times in frames. None reaches into the
  /// next.
  private var placed: [(index: Int, times: [Int64])] {
    let start = Self.start.wholeSeconds * rate.numbersPerSecond
    let places = events.map { start + rate.frames(in: $0.at) }
    return events.indices.compactMap { index in
      let from = rate.frames(in: events[index].source.lowerBound)
      let next = index + 1 < places.count ? places[index + 1] : .max
      let length = min(rate.frames(in: events[index].source.upperBound) - from, next - places[index])
      return length > 0 ? (index, [from, from + length, places[index], places[index] + length]) : nil
    }
  }

  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isPrintable ? $0 : " " }))
  }

  /// A reel name for each of `names`: eight of its letters and digits, with a number where that is needed to
  /// tell them apart.
  static func reels(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      let letters = name.uppercased().unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || (0x30...0x39).contains($0.value))
      }
      let plain = letters.isEmpty ? "REEL" : String(String.UnicodeScalarView(letters.prefix(8)))
      var (reel, number) = (plain, 1)
      while !taken.insert(reel).inserted {
        number += 1
        reel = plain.prefix(8 - "\(number)".count) + "\(number)"
      }
      return reel
    }
  }
}
