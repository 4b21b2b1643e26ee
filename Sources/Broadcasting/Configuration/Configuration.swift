package import HoldfastMediaModel

/// Everything that a broadcast is told before it starts, by subject.
package struct Configuration: Hashable, Sendable {
  package var name = "holdfast"
  package var video = Video()
  package var audio = Audio()
  /// Files begin again when they have come to their end.
  package var loop = false
  package var outputs = Outputs()
  package var recording = Recording()
  package var session = Session()
  /// Get the packets besides the recording and the outputs.
  package var receivers: [SuppliedReceiver] = []

  package static let audioFormat = AudioFormat(sampleRate: 48_000, channels: 2)

  package init() {}

  package struct Video: Hashable, Sendable {
    package var source = VideoSelection.automatic
    package var size = PictureSize(width: 1280, height: 720)
    package var frameRate = FrameRate.thirty
    package var codec = Codec.h264
    package var encoder = EncoderChoice.auto
    package var bitrate = 2_500_000
    /// The lowest that the bitrate may come to; nil for a fifth of `bitrate`.
    package var minBitrate: Int?
    /// From one keyframe to the next.
    package var gop = MediaTime.seconds(2)
  }

  package struct Audio: Hashable, Sendable {
    package var source = AudioSelection.automatic
    package var codec = Codec.aac
    package var bitrate = 128_000
  }

  /// The name of each setting, as configuration files and errors write it.
  package enum Setting: String, Hashable, Sendable, CaseIterable {
    case name, video, audio, record, duration, resumeWindow, afterCrash, size, fps, bitrate, gop, videoCodec,
      encoder, audioCodec, audioBitrate, loop, preview
    case to, publishType, outage, connectTimeout, stallTimeout, giveUpAfter, adaptive, minBitrate, tlsCa,
      tlsInsecure, rtspTransport
    case maxDuration, maxTotal, alertBefore, countInterruptions
    case gate, awaitReady, gateTimeout, onGateTimeout, gateOnResume
    case segment, onSegment, onSegmentWait, keepAge, keepSize, diskReserve, syncEvery, keepGaps, recordQueue
  }
}
