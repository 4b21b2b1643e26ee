import HoldfastMediaModel
import Testing

@testable import HoldfastRecording

@Suite struct WrittenMediaTests {
  private func written(_ pictures: [Int64]) -> WrittenMedia {
    var media = WrittenMedia()
    for number in pictures { media.add(SampleRecording.picture(number)) }
    return media
  }

  private func loss(_ pictures: ClosedRange<Int64>) -> Recorder.Loss {
    let start = SampleRecording.picture(pictures.lowerBound).decodeTime
    let last = SampleRecording.picture(pictures.upperBound)
    return Recorder.Loss(
      track: .video, at: start, duration: last.decodeTime + last.duration - start, packets: 0,
      cause: .diskFailed)
  }

  @Test func `what was written since the last sync began may not be on the disk`() {
    var media = written([0, 1, 2])
    #expect(media.unsynced == [loss(0...2)])
    media.syncBegan()
    media.add(SampleRecording.picture(3))
    #expect(media.unsynced == [loss(0...3)], "the sync is running")
    media.syncEnded()
    #expect(media.unsynced == [loss(3...3)])
    media.allSynced()
    #expect(media.unsynced == [])
  }

  @Test func `what was not written is not counted`() {
    var media = written([0, 1, 30, 31])
    #expect(media.unsynced == [loss(0...1), loss(30...31)])
    media.allSynced()
    media.add(SampleRecording.picture(90))
    #expect(media.unsynced == [loss(90...90)])
  }

  @Test func `what a disk lacks is what was written behind its end, synced or not`() {
    var media = written([0, 1, 2, 3])
    media.allSynced()
    #expect(media.missing(behind: [.video: SampleRecording.picture(2).decodeTime]) == [loss(2...3)])
    #expect(media.missing(behind: [:]) == [loss(0...3)], "the track is not there at all")
    #expect(WrittenMedia(onDiskUntil: [.video: .seconds(1)]).unsynced == [])
  }

  @Test func `an unsteady camera's holes are forgotten once they are on the disk`() {
    var media = WrittenMedia()
    for number in 0..<100 {
      var picture = SampleRecording.picture(Int64(number))
      picture.duration = .milliseconds(10)
      media.add(picture)
    }
    #expect(media.unsynced.count == 100)
    media.allSynced()
    #expect(media.missing(behind: [:]).count == 1)
  }
}
