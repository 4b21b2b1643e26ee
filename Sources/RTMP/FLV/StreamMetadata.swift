import HoldfastMediaModel

enum StreamMetadata {
  static func value(for tracks: [Track]) -> AMFValue {
    var fields: [AMFValue.Field] = [.init("duration", .number(0)), .init("encoder", .string("Holdfast"))]
    for track in tracks { fields += self.fields(for: track) }
    return .map(fields)
  }

  private static func fields(for track: Track) -> [AMFValue.Field] {
    let kilobits = AMFValue.number(Double(track.bitrate) / 1000)
    switch track.format {
    case .video(let format):
      return [
        .init("width", .number(Double(format.size.width))),
        .init("height", .number(Double(format.size.height))),
        .init("framerate", .number(format.frameRate.framesPerSecond)), .init("videodatarate", kilobits),
        .init("videocodecid", .number(track.codec.fourCC.map { Double($0.value) } ?? 7)),
      ]
    case .audio(let format):
      return [
        .init("audiosamplerate", .number(Double(format.sampleRate))),
        .init("audiochannels", .number(Double(format.channels))),
        .init("stereo", .boolean(format.channels > 1)),
        .init("audiosamplesize", .number(16)), .init("audiodatarate", kilobits),
        .init("audiocodecid", .number(track.codec.fourCC.map { Double($0.value) } ?? 10)),
      ]
    }
  }
}
