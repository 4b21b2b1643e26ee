import HoldfastMediaModel
import HoldfastRecording
import Testing

@Suite struct JournalFingerprintTests {
  private func video(width: Int = 64, headers: [UInt8] = [1, 2], bitrate: Int = 0) -> Track {
    Track(
      codec: .h264,
      format: .video(VideoFormat(size: PictureSize(width: width, height: 64), frameRate: .thirty)),
      headers: headers,
      bitrate: bitrate)
  }

  private let audio = Track(
    codec: .aac, format: .audio(AudioFormat(sampleRate: 48_000, channels: 2)), headers: [17, 144],
    bitrate: 128_000)

  @Test func `the order of the tracks and their bitrate don't matter`() {
    #expect(TracksFingerprint([video(), audio]) == TracksFingerprint([audio, video(bitrate: 9)]))
  }

  @Test func `headers, size, codec and what tracks there are matter`() {
    let fingerprints = [
      [video(), audio], [video(headers: [1, 3]), audio], [video(width: 128), audio], [video()], [audio], [],
    ].map(TracksFingerprint.init)
    #expect(Set(fingerprints).count == fingerprints.count)
  }
}
