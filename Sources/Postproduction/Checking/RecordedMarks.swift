package import HoldfastMarks
package import HoldfastMediaModel

/// The marks of the test picture and test tone in a recording, which is decoded in pieces.
package struct RecordedMarks: Hashable, Sendable {
  /// Frame numbers missing between two that were found.
  package struct Missing: Hashable, Sendable {
    package let at: MediaTime
    package let numbers: ClosedRange<UInt32>
  }

  package private(set) var pictures = 0
  package private(set) var unreadable = 0
  package private(set) var missing: [Missing] = []
  package private(set) var missingCount = 0
  package private(set) var repeated = 0
  package private(set) var goingBack = 0
  package private(set) var beeps = 0
  /// Delay of sound after picture, in milliseconds.
  package private(set) var offset: Spread?

  /// Number of pictures that decide whether there are marks.
  private static let detectionCount = 30
  private static let pieceLength = 1800
  private static let maxMissing = 1000

  private static let tolerance = MediaTime.milliseconds(20)

  /// Nil if the first pictures have no marks. At the times in `resumptions`, another process may have begun
  /// to number the pictures anew, also after a reboot.
  init?(_ media: CheckedMedia, resumptions: [MediaTime] = []) {
    guard var pictures = MarkedPictures(media), pictures.canHaveMarks else { return nil }
    var piece: [MarkedPicture] = []
    while piece.count < Self.detectionCount, let next = pictures.next() { piece.append(next) }
    guard piece.count(where: { $0.mark != nil }) * 2 > piece.count else { return nil }
    var sound = BeepReader(media)
    var offsets: [Double] = []
    var waiting: [Beep] = []
    while true {
      let next = pictures.next()
      let restart = next.flatMap { next in
        piece.last.flatMap { next.restarts(after: $0, resumptions, Self.tolerance) ? next : nil }
      }
      if restart == nil, let next { piece.append(next) }
      guard next == nil || restart != nil || piece.count >= Self.pieceLength else { continue }
      let end = next == nil ? nil : (restart ?? piece.last)?.time
      if let found = sound?.beeps(until: end) { waiting += found }
      let isDecided = { (beep: Beep) in end.map { beep.onset <= $0 } ?? true }
      let decided = waiting.filter(isDecided)
      waiting.removeAll(where: isDecided)
      // Between two processes' pictures nothing says which one's sound it is.
      let isBesideSeam = { (beep: Beep) in restart != nil && piece.last.map { beep.onset > $0.time } ?? true }
      add(MarkReport(pictures: piece, beeps: decided.filter { !isBesideSeam($0) }), piece, &offsets)
      guard next != nil else { break }
      if let restart {
        piece = [restart]
        continue
      }
      // The last picture is the reference for the first of the next piece.
      piece = Array(piece.suffix(1))
      self.pictures -= 1
      if piece.first?.mark == nil { unreadable -= 1 }
    }
    if pictures.isExhausted { return nil }
    offset = Spread(offsets)
  }

  private mutating func add(_ report: MarkReport, _ piece: [MarkedPicture], _ offsets: inout [Double]) {
    pictures += report.pictures
    unreadable += report.unreadable
    repeated += report.repeated
    goingBack += report.goingBack
    beeps += report.beeps
    offsets += report.offsets.map(\.milliseconds)
    for numbers in report.missing {
      missingCount += numbers.count
      guard missing.count < Self.maxMissing else { continue }
      let next = piece.first { $0.mark.map { $0.number > numbers.upperBound } ?? false }
      missing.append(Missing(at: next?.time ?? .zero, numbers: numbers))
    }
  }
}

extension MarkedPicture {
  /// Whether it is the first one of another process.
  fileprivate func restarts(
    after last: MarkedPicture, _ resumptions: [MediaTime], _ tolerance: MediaTime
  ) -> Bool {
    guard let mark, let before = last.mark,
      mark.number < before.number || mark.captureTime < before.captureTime
    else { return false }
    return resumptions.contains { last.time < $0 + tolerance && $0 <= time + tolerance }
  }
}
