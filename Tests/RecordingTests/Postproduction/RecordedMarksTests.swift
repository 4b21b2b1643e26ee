import HoldfastMP4
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// The marks of recordings that another process has continued.
@Suite struct RecordedMarksTests {
  private let folder = ScratchFolder()

  @Test func `a beep beside a seam whose flash a power cut took says nothing about picture and sound`() throws
  {
    let media = try MarkedMedia.Kind.h264AAC.media()
    let path = folder.file("a.mp4")
    var writer = try FragmentWriter(path: path, tracks: [media.video, media.audio])
    // The second process numbers its pictures from 0 again; its first ones are missing, but not their sound.
    let pieces: [(from: Range<Double>, pictures: Double, at: Double)] = [(6..<8, 6, 0), (2.2..<5, 3, 2)]
    for piece in pieces {
      for packet in media.packets {
        let time = packet.decodeTime.seconds + 0.001
        guard piece.from.contains(time), packet.track == .audio || time >= piece.pictures else { continue }
        try writer.write(packet.shifted(by: MediaTime(seconds: piece.at - piece.from.lowerBound)))
      }
    }
    try writer.finish()
    let bytes = try OpenRecording(path: path).bytes
    let checked = try CheckedMedia(path: path, bytes, until: bytes.size)
    let marks = try #require(RecordedMarks(checked, resumptions: [.seconds(2)]))
    let offset = try #require(marks.offset)
    #expect(marks.beeps == 4 && offset.minimum > -20 && offset.maximum < 20, "\(offset)")
  }
}
