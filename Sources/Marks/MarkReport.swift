package import HoldfastMediaModel

package struct MarkedPicture: Hashable, Sendable {
  package let time: MediaTime
  package let mark: FrameMark?

  package init(time: MediaTime, mark: FrameMark?) {
    self.time = time
    self.mark = mark
  }
}

/// Evaluates whether a recording is complete, in order and in sync.
package struct MarkReport: Hashable, Sendable, CustomStringConvertible {
  /// The audio delay relative to video at one whole second.
  package struct Offset: Hashable, Sendable {
    package let time: MediaTime
    package let milliseconds: Double
  }

  package let pictures: Int
  package let unreadable: Int
  package let first: FrameMark?
  package let last: FrameMark?
  /// Frame numbers missing between two that were found.
  package let missing: [ClosedRange<UInt32>]
  /// Pictures with an earlier picture's number.
  package let repeated: Int
  /// Pictures captured before their predecessor.
  package let goingBack: Int
  /// How often numbers restart while the clock continues.
  package let restarts: Int
  package let beeps: Int
  /// The offset at each beep between pictures.
  package let offsets: [Offset]
  package let offset: Spread?
  /// The presentation interval of consecutive numbers.
  package let interval: Spread?
  /// By how much such an interval exceeds the capture interval.
  package let jitter: Spread?

  /// `pictures` must be in presentation order.
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

private struct ReadPicture {
  let time: MediaTime
  let mark: FrameMark

  var delay: MediaTime { time - (mark.captureTime - MonotonicTime(nanoseconds: 0)) }

  /// Whether media time was cut between the two, as their delays differ.
  func isCutOff(from other: ReadPicture) -> Bool { abs((delay - other.delay).milliseconds) > 50 }
}

extension MarkReport {
  /// Splits the pictures where numbers restart although the clock continued.
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

  /// The delay interpolated at `time`, or of the first or last picture within 1 s; nil at a cut.
  private static func delay(at time: MediaTime, among pictures: [ReadPicture]) -> MediaTime? {
    let next = pictures.partitioningIndex { $0.time > time }
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
}

/// The median and range of measurements, in milliseconds.
package struct Spread: Hashable, Sendable, CustomStringConvertible {
  package let median: Double
  package let minimum: Double
  package let maximum: Double

  package init?(_ milliseconds: [Double]) {
    let sorted = milliseconds.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    minimum = first
    maximum = last
    median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  package var description: String {
    "\(Self.text(median)) ms (\(Self.text(minimum)) to \(Self.text(maximum)))"
  }

  private static func text(_ milliseconds: Double) -> String {
    let hundredths = Int((milliseconds * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    return (hundredths < 0 ? "-" : "") + "\(whole).\(rest / 10)\(rest % 10)"
  }
}
