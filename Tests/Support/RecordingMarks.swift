import HoldfastFFmpeg
package import HoldfastMarks
package import HoldfastMediaModel
import HoldfastPostproduction
import HoldfastRecording

/// The test picture and test tone marks found in a media file.
package struct RecordingMarks {
  package let report: MarkReport
  /// The length and the start of the sound, in seconds.
  package let audioSeconds: Double
  package let audioStart: Double
  package private(set) var pictures: [MarkedPicture] = []

  package init(path: String) throws {
    silenceFFmpeg()
    if var reader = MarkedPictures(path: path) {
      while let picture = reader.next() { pictures.append(picture) }
    }
    var sound = BeepReader(path: path)
    report = MarkReport(pictures: pictures, beeps: sound?.beeps() ?? [])
    audioSeconds = sound?.seconds ?? 0
    audioStart = sound?.start?.seconds ?? 0
  }

  package var missingPictures: Int { report.missing.reduce(0) { $0 + $1.count } }

  package var pictureTimes: [Double] { pictures.map(\.time.seconds) }

  /// From each picture to the next, in seconds.
  package var steps: [Double] { zip(pictureTimes, pictureTimes.dropFirst()).map { $1 - $0 } }

  /// When the pictures with a readable mark were captured.
  package var captures: [MonotonicTime] { pictures.compactMap { $0.mark?.captureTime } }

  package var summary: String {
    let offset = report.offset.map { ", sound after picture \($0)" } ?? ""
    return "\(report.pictures) pictures, \(missingPictures) missing, \(report.unreadable) unreadable\(offset)"
  }
}

extension MarkReport {
  /// Every picture is present once, in order, and readable.
  package var isFaultless: Bool { repeated + goingBack + unreadable == 0 }
  package var offsetSpread: Double? { offset.map { $0.maximum - $0.minimum } }
  package var greatestOffset: Double? { offset.map { max(abs($0.minimum), abs($0.maximum)) } }
}
