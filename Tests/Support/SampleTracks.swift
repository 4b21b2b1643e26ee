package import HoldfastMediaModel

package enum SampleTracks {
  package static let video = Track(
    codec: .h264, format: .video(VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)),
    headers: [1, 66, 0, 30, 0xFF, 0xE1, 0, 5, 0x67, 66, 0, 30, 9, 1, 0, 3, 0x68, 0xCE, 1], bitrate: 0)
  package static let audio = Track(
    codec: .aac, format: .audio(AudioFormat(sampleRate: 48_000, channels: 2)), headers: [0x11, 0x90],
    bitrate: 0)
}
