import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// A rendition's conversion and encoder, for one thread at a time.
struct PictureEncoder: ~Copyable {
  private let destination: LaneDestination
  private var encoder: LaneEncoder
  private var converter: FrameConverter
  private var isAnnounced = false

  /// With a `track`, whose place its packets take, it has the same headers if it can.
  init(
    _ rendition: LaneRendition, _ settings: PictureEncoding.Settings, of source: VideoProperties,
    replacing track: Track? = nil
  ) throws {
    let planned = rendition.planned
    let format = VideoFormat(
      size: source.format.size.fitted(into: planned.size), frameRate: settings.frameRate(of: source))
    let opened = try Self.open(rendition, settings, format, source.pixelFormat, replacing: track)
    destination = rendition.destination
    encoder = LaneEncoder(opened, settings.codec, bitrate: planned.bitrate, destination: destination)
    converter = FrameConverter(size: format.size, format: encoder.pixelFormat)
    send([])
  }

  /// `waiting` are the pictures behind this one, `dropped` those lost right before it.
  mutating func encode(
    _ picture: consuming Frame, at time: MediaTime, _ request: PictureRequest, waiting: Int, dropped: Int
  ) throws {
    let begin = MonotonicTime.now
    if let change = request.bitrate { encoder.setBitrate(change) }
    send(
      try encoder.adapt(waiting: waiting, dropped: dropped, isKeyframe: request.isKeyframeForced, at: begin))
    let converted = try converter.convert(picture)
    send(try encoder.encode(converted, at: time, isKeyframeForced: request.isKeyframeForced))
    destination.meters.addEncoding(.now - begin)
  }

  mutating func finish() throws { send(try encoder.finish()) }

  /// Some encoders can describe the track only with their first picture.
  private mutating func send(_ packets: [MediaPacket]) {
    if !isAnnounced, let track = encoder.track {
      destination.announce(track)
      isAnnounced = true
    }
    destination.send(packets)
  }

  /// Opens the first encoder that works, and reports which.
  private static func open(
    _ rendition: LaneRendition, _ settings: PictureEncoding.Settings, _ format: VideoFormat,
    _ source: PixelFormat, replacing track: Track?
  ) throws -> VideoEncoder {
    var failures: [String] = []
    for implementation in rendition.planned.encoders {
      let title = implementation.title(for: settings.codec)
      do {
        var wanted = VideoEncoder.Settings(
          codec: settings.codec, format: format, bitrate: rendition.planned.bitrate,
          keyframeInterval: settings.keyframeInterval)
        wanted.level = track.flatMap { AVCConfiguration.level(of: $0) }
        let encoder = try VideoEncoder(implementation, wanted, source: source)
        let passed = failures.isEmpty ? "" : " (\(failures.joined(separator: "; ")))"
        rendition.destination.note("\(settings.codec.name) by \(title), \(format)\(passed)")
        return encoder
      } catch {
        failures.append("\(title) does not work here: \(error)")
      }
    }
    throw EncodingError(what: failures.joined(separator: "; "))
  }
}

private struct EncodingError: Error, CustomStringConvertible {
  let what: String
  var description: String { what }
}
