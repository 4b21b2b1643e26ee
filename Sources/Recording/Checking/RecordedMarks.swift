import HoldfastFFmpeg
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
  private static let firstLook = 30
  private static let pieceLength = 1800
  private static let maxMissing = 1000

  /// Nil if the first pictures have no marks.
  package init?(path: String) {
    guard let reader = try? PictureReader(path: path), let layout = MarkLayout(size: reader.format.size)
    else {
      return nil
    }
    var pictures = MarkedPictures(reader: reader, layout: layout)
    var piece: [MarkedPicture] = []
    while piece.count < Self.firstLook, let next = pictures.next() { piece.append(next) }
    guard piece.count(where: { $0.mark != nil }) * 2 > piece.count else { return nil }
    var sound = BeepReader(path: path)
    var offsets: [Double] = []
    var waiting: [Beep] = []
    while true {
      let next = pictures.next()
      if let next { piece.append(next) }
      guard next == nil || piece.count >= Self.pieceLength else { continue }
      let end = next == nil ? nil : piece.last?.time
      if let found = sound?.beeps(until: end) { waiting += found }
      let isDecided = { (beep: Beep) in end.map { beep.onset <= $0 } ?? true }
      let decided = waiting.filter(isDecided)
      waiting.removeAll(where: isDecided)
      add(MarkReport(pictures: piece, beeps: decided), piece, &offsets)
      guard next != nil else { break }
      // The last picture is the reference for the first of the next piece.
      piece = Array(piece.suffix(1))
      self.pictures -= 1
      if piece.first?.mark == nil { unreadable -= 1 }
    }
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

/// After this many errors in a row, reading ends.
private let patience = 1000

private struct MarkedPictures: ~Copyable {
  private var reader: PictureReader
  private let layout: MarkLayout

  init(reader: consuming PictureReader, layout: MarkLayout) {
    self.reader = reader
    self.layout = layout
  }

  /// Skips pictures that cannot be decoded; they count as missing.
  mutating func next() -> MarkedPicture? {
    for _ in 0..<patience {
      do {
        guard let picture = try reader.next() else { return nil }
        let mark = picture.frame.withPlane(0) { bytes, bytesPerLine in
          layout.read(bytes.bindMemory(to: UInt8.self).span, bytesPerLine: bytesPerLine)
        }
        return MarkedPicture(time: picture.time, mark: mark)
      } catch {}
    }
    return nil
  }
}

private struct BeepReader: ~Copyable {
  private var reader: SoundReader
  private var detector: BeepDetector?
  private var nextTime = MediaTime.zero

  init?(path: String) {
    guard let reader = try? SoundReader(path: path) else { return nil }
    self.reader = reader
  }

  /// The beeps up to a little after `end`.
  mutating func beeps(until end: MediaTime?) -> [Beep] {
    var beeps: [Beep] = []
    while end.map({ nextTime < $0 + .milliseconds(500) }) ?? true, let block = next() {
      // After a hole, timestamps determine the position.
      if max(block.time - nextTime, nextTime - block.time) > .milliseconds(3) { detector = nil }
      let channels = reader.format.channels
      nextTime = block.time + reader.format.duration(ofFrames: block.samples.count / channels)
      // A decoder fades in, so a beep at the very beginning would seem late.
      guard block.time >= .milliseconds(20) else { continue }
      var found = detector ?? BeepDetector(sampleRate: reader.format.sampleRate, start: block.time)
      detector = nil
      beeps += found.process(stride(from: 0, to: block.samples.count, by: channels).map { block.samples[$0] })
      detector = found
    }
    return beeps
  }

  private mutating func next() -> (samples: [Float], time: MediaTime)? {
    for _ in 0..<patience {
      do { return try reader.next() } catch {}
    }
    return nil
  }
}
