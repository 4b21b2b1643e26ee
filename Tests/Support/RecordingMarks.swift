import HoldfastFFmpeg
package import HoldfastMarks
import HoldfastMediaModel

/// The test picture and test tone marks found in a media file.
package struct RecordingMarks {
  package let report: MarkReport
  /// The length and the start of the sound, in seconds.
  package let audioSeconds: Double
  package let audioStart: Double
  package let pictures: [MarkedPicture]

  package init(path: String) throws {
    silenceFFmpeg()
    var pictures: [MarkedPicture] = []
    if var reader = try? PictureReader(path: path) {
      let layout = MarkLayout(size: reader.format.size)
      while let picture = reader.nextDecodable() {
        let mark = picture.frame.withPlane(0) { bytes, bytesPerLine in
          layout?.read(bytes.bindMemory(to: UInt8.self).span, bytesPerLine: bytesPerLine)
        }
        pictures.append(MarkedPicture(time: picture.time, mark: mark))
      }
    }
    var beeps: [Beep] = []
    var frames = 0
    var start: MediaTime?
    var rate = 1
    if var reader = try? SoundReader(path: path) {
      rate = reader.format.sampleRate
      let channels = reader.format.channels
      var detector: BeepDetector?
      var nextTime = MediaTime.zero
      while let block = reader.nextDecodable() {
        if start == nil { start = block.time }
        // After a gap, the sound continues at its timestamp.
        if max(block.time - nextTime, nextTime - block.time) > .milliseconds(3) { detector = nil }
        nextTime = block.time + reader.format.duration(ofFrames: block.samples.count / channels)
        let mono = stride(from: 0, to: block.samples.count, by: channels).map { block.samples[$0] }
        frames += mono.count
        // A decoder fades in the first 21 ms, so a beep there would appear late.
        guard block.time >= .milliseconds(20) else { continue }
        if detector == nil { detector = BeepDetector(sampleRate: rate, start: block.time) }
        beeps += detector?.process(mono) ?? []
      }
    }
    report = MarkReport(pictures: pictures, beeps: beeps)
    audioSeconds = Double(frames) / Double(rate)
    audioStart = start?.seconds ?? 0
    self.pictures = pictures
  }

  package var missingPictures: Int { report.missing.reduce(0) { $0 + $1.count } }

  package var pictureTimes: [Double] { pictures.map(\.time.seconds) }

  package var summary: String {
    let offset = report.offset.map { ", sound after picture \($0)" } ?? ""
    return "\(report.pictures) pictures, \(missingPictures) missing, \(report.unreadable) unreadable\(offset)"
  }
}

extension MarkReport {
  /// Every picture is present once, in order, and readable.
  package var isFaultless: Bool { repeated + goingBack + unreadable == 0 }
}

// Undecodable pictures are skipped, and thus count as missing.

extension PictureReader {
  fileprivate mutating func nextDecodable() -> DecodedPicture? {
    for _ in 0..<damageLimit {
      do { return try next() } catch {}
    }
    return nil
  }
}

extension SoundReader {
  fileprivate mutating func nextDecodable() -> (samples: [Float], time: MediaTime)? {
    for _ in 0..<damageLimit {
      do { return try next() } catch {}
    }
    return nil
  }
}

/// So many consecutive errors indicate a reader that never ends.
private let damageLimit = 1000
