package import HoldfastMediaModel

/// A decoded picture: when it is to be shown, and the mark that could be read from it.
package struct MarkedPicture: Hashable, Sendable {
  package let time: MediaTime
  package let mark: FrameMark?

  package init(time: MediaTime, mark: FrameMark?) {
    self.time = time
    self.mark = mark
  }
}

/// What the marks in a recording say of it: is it whole, in order and in step?
package struct MarkReport: Hashable, Sendable {
  /// How much later than the picture the sound of one whole second comes (negative: earlier).
  package struct Offset: Hashable, Sendable {
    /// When the beep is heard.
    package let time: MediaTime
    package let milliseconds: Double

    package init(time: MediaTime, milliseconds: Double) {
      self.time = time
      self.milliseconds = milliseconds
    }
  }

  package let pictures: Int
  /// Pictures without a mark that could be read.
  package let unreadable: Int
  package let first: FrameMark?
  package let last: FrameMark?
  /// Numbers that are nowhere, between numbers that are there.
  package let missing: [ClosedRange<UInt32>]
  /// How many pictures are there again though they were there before.
  package let repeated: Int
  /// How often a picture comes after one that was captured later.
  package let goingBack: Int
  /// How often the numbers begin anew while the clock goes on: another test picture was started.
  package let restarts: Int
  package let beeps: Int
  /// One for each beep that has pictures around it.
  package let offsets: [Offset]
  package let offset: Spread?
  /// From one picture to the next that was captured right after it.
  package let interval: Spread?
  /// How much longer than between the captures such an interval is.
  package let jitter: Spread?

  /// `pictures` in the order in which they are shown.
  package init(pictures: [MarkedPicture], beeps: [Beep]) {
    let readable = pictures.compactMap { picture in
      picture.mark.map { ReadPicture(time: picture.time, mark: $0) }
    }
    self.pictures = pictures.count
    unreadable = pictures.count - readable.count
    first = readable.first?.mark
    last = readable.last?.mark

    let runs = Self.runs(readable)
    restarts = max(0, runs.count - 1)
    missing = runs.flatMap(Self.missing)
    repeated = runs.reduce(0) { $0 + $1.count - Set($1.map(\.mark.number)).count }
    let steps = Array(zip(readable, readable.dropFirst()))
    goingBack = steps.count { $1.mark.captureTime < $0.mark.captureTime }

    let neighbours = steps.filter { $1.mark.number == $0.mark.number &+ 1 }
    interval = Spread(neighbours.map { ($1.time - $0.time).milliseconds })
    jitter = Spread(neighbours.map { ($1.delay - $0.delay).milliseconds })

    self.beeps = beeps.count
    offsets = beeps.compactMap { Self.offset(of: $0, among: readable) }
    offset = Spread(offsets.map(\.milliseconds))
  }
}

/// A picture whose mark could be read.
private struct ReadPicture {
  let time: MediaTime
  let mark: FrameMark

  /// What lies between the clock at the capture and the media time.
  var delay: MediaTime { time - (mark.captureTime - MonotonicTime(nanoseconds: 0)) }

  /// The delays differ so much that the media time must have been cut between the two.
  func isCutOff(from other: ReadPicture) -> Bool {
    abs((delay - other.delay).milliseconds) > 50
  }
}

extension MarkReport {
  /// Splits where the numbers begin anew although the clock went on.
  private static func runs(_ pictures: [ReadPicture]) -> [[ReadPicture]] {
    var runs: [[ReadPicture]] = []
    for picture in pictures {
      if let last = runs.last?.last,
        picture.mark.number > last.mark.number || picture.mark.captureTime <= last.mark.captureTime
      {
        runs[runs.count - 1].append(picture)
      } else {
        runs.append([picture])
      }
    }
    return runs
  }

  private static func missing(in run: [ReadPicture]) -> [ClosedRange<UInt32>] {
    let numbers = run.map(\.mark.number).sorted()
    return zip(numbers, numbers.dropFirst()).compactMap { number, next in
      next - number > 1 ? number + 1...next - 1 : nil
    }
  }

  private static func offset(of beep: Beep, among pictures: [ReadPicture]) -> Offset? {
    guard let delay = delay(at: beep.onset, among: pictures) else { return nil }
    let shown = MonotonicTime(nanoseconds: 0) + (beep.onset - delay)
    let second = SecondMark.second(ofPitch: beep.pitch, near: shown)
    return Offset(time: beep.onset, milliseconds: (shown - second).milliseconds)
  }

  /// The pictures' delay at `time`, between the two around it, or that of the first or last where it is not
  /// more than a second away. Nil where the media time was cut right there.
  private static func delay(at time: MediaTime, among pictures: [ReadPicture]) -> MediaTime? {
    let next = firstIndex(after: time, in: pictures)
    let before = next > 0 ? pictures[next - 1] : nil
    let after = next < pictures.count ? pictures[next] : nil
    switch (before, after) {
    case (let before?, let after?):
      guard !after.isCutOff(from: before) else { return nil }
      let share = (time - before.time).seconds / (after.time - before.time).seconds
      return before.delay + MediaTime(seconds: share * (after.delay - before.delay).seconds)
    case (let only?, nil), (nil, let only?):
      return abs((only.time - time).seconds) <= 1 ? only.delay : nil
    case (nil, nil):
      return nil
    }
  }

  /// By halves, since pictures are in the order of their times.
  private static func firstIndex(after time: MediaTime, in pictures: [ReadPicture]) -> Int {
    var low = 0
    var high = pictures.count
    while low < high {
      let middle = (low + high) / 2
      if pictures[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension MarkReport: CustomStringConvertible {
  package var description: String {
    var lines: [String] = []
    if let first, let last {
      lines.append(
        "\(pictures) pictures, numbers \(first.number) to \(last.number), \(unreadable) unreadable")
    } else {
      lines.append("\(pictures) pictures, none with a mark")
    }
    lines.append("missing: \(missingText); repeated \(repeated), back \(goingBack), restarts \(restarts)")
    if let offset { lines.append("sound after picture: \(offset) at \(offsets.count) of \(beeps) beeps") }
    if let interval, let jitter { lines.append("frame interval: \(interval), jitter \(jitter)") }
    return lines.joined(separator: "\n")
  }

  private var missingText: String {
    guard !missing.isEmpty else { return "none" }
    let named = missing.prefix(8).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }
    let count = missing.reduce(0) { $0 + $1.count }
    return "\(count) (" + named.joined(separator: ", ") + (missing.count > named.count ? ", …)" : ")")
  }
}
