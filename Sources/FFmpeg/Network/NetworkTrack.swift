import HoldfastCFFmpeg
package import HoldfastMediaModel

/// The description of a network source's picture or sound.
package final class NetworkTrack: @unchecked Sendable {  // never changed
  let parameters: UnsafeMutablePointer<AVCodecParameters>
  let index: Int
  private let timeBase: AVRational
  package let kind: TrackKind
  package let codecName: String
  package let format: Track.Format
  /// The stamps are the sender's; otherwise libavformat makes them up.
  private let hasStamps: Bool

  init(
    _ kind: TrackKind, _ stream: UnsafeMutablePointer<AVStream>,
    in context: UnsafeMutablePointer<AVFormatContext>
  ) throws(FFmpegError) {
    guard let copy = avcodec_parameters_alloc() else { throw .outOfMemory("avcodec_parameters_alloc") }
    parameters = copy
    self.kind = kind
    index = Int(stream.pointee.index)
    hasStamps = (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS == 0
    timeBase = stream.pointee.time_base
    codecName = stream.codecName
    format = kind == .video ? .video(stream.videoFormat(in: context)) : .audio(stream.audioFormat)
    try check(avcodec_parameters_copy(copy, stream.pointee.codecpar), "avcodec_parameters_copy")
  }

  deinit { release(parameters, avcodec_parameters_free) }

  /// The track of copied packets; throws if its codec can't be copied.
  package func copied() throws(FFmpegError) -> CopiedTrack {
    try CopiedTrack(parameters.pointee, format, name: codecName)
  }

  /// The stamp of the sender's clock; nil if there is none, or an impossible one.
  func stamp(_ ticks: Int64) -> MediaTime? {
    guard hasStamps, ticks != cff_AV_NOPTS_VALUE, timeBase.num > 0, timeBase.den > 0 else { return nil }
    let (product, isTooLarge) = ticks.multipliedReportingOverflow(by: Int64(timeBase.num))
    let time = MediaTime(ticks: product, timescale: Int(timeBase.den))
    return isTooLarge || abs(time.seconds) > Self.maxSeconds ? nil : time
  }

  /// Thirty years: wall clocks are allowed as stamps.
  private static let maxSeconds = 4e9
}
