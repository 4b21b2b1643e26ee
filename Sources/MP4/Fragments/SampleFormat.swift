/// How the samples of a track are packed, as far as their bytes can be checked by it.
struct SampleFormat: Hashable, Sendable {
  /// `avc1`, `mp4a`.
  let name: FourCC
  /// How many bytes say how long a unit is; nil where samples are not made of units.
  let lengthSize: Int?
}

extension SampleFormat {
  static func formats(ofMovie movie: BoxBytes) throws(FragmentedFileError) -> [UInt32: SampleFormat] {
    var formats: [UInt32: SampleFormat] = [:]
    for track in try movie.boxes() where track.type == "trak" {
      guard let id = try number(ofTrack: track.content),
        let table = try descend(track.content, ["mdia", "minf", "stbl", "stsd"])
      else { continue }
      formats[id] = try SampleFormat(table)
    }
    return formats
  }

  private static func number(ofTrack track: BoxBytes) throws(FragmentedFileError) -> UInt32? {
    guard var content = try descend(track, ["tkhd"]) else { return nil }
    let version = try content.versionAndFlags().version
    try content.skip(version == 1 ? 16 : 8)
    return try content.uint32()
  }

  private static func descend(_ box: BoxBytes, _ path: [FourCC]) throws(FragmentedFileError)
    -> BoxBytes?
  {
    var content = box
    for name in path {
      guard let next = try content.boxes().first(where: { $0.type == name }) else {
        return nil
      }
      content = next.content
    }
    return content
  }

  /// Of a `stsd` box.
  private init?(_ table: BoxBytes) throws(FragmentedFileError) {
    var table = table
    try table.skip(8)
    guard !table.isAtEnd else { return nil }
    let entry = try table.box()
    name = entry.type
    lengthSize = try Self.lengthSize(of: entry)
  }

  private static func lengthSize(of entry: BoxBytes.Box) throws(FragmentedFileError) -> Int? {
    let place: (box: FourCC, offset: Int)
    switch entry.type {
    case "avc1", "avc3": place = ("avcC", 4)
    case "hvc1", "hev1": place = ("hvcC", 21)
    default: return nil
    }
    var content = entry.content
    // What a picture's entry says before its boxes.
    try content.skip(78)
    guard var settings = try content.boxes().first(where: { $0.type == place.box })?.content else {
      return nil
    }
    try settings.skip(place.offset)
    return Int(try settings.number(bytes: 1) & 3) + 1
  }
}
