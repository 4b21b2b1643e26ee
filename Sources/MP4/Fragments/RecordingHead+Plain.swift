extension RecordingHead {
  /// A head with nothing but the tracks and how to decode them. Any table, edit list or other box could make a demuxer
  /// allocate what the file does not explain. Throws for codecs that recordings do not have.
  func plain() throws(FragmentedFileError) -> [UInt8] {
    guard let movie = try BoxReader(bytes[...]).content(of: "moov") else {
      throw .foreign("its head is missing")
    }
    return Box.make("ftyp", Array("isom".utf8) + Box.bytes(UInt32(512)) + Array("isomiso6".utf8))
      + Box.make("moov", try Self.filtered(movie, in: "moov"))
  }

  /// The boxes that are kept in a box; of others, all bytes are.
  private static let kept: [BoxType: Set<BoxType>] = [
    "moov": ["mvhd", "trak", "mvex"], "mvex": ["trex"], "trak": ["tkhd", "mdia"],
    "mdia": ["mdhd", "hdlr", "minf"], "minf": ["vmhd", "smhd", "stbl"], "stbl": ["stsd"],
  ]
  private static let descriptions: Set<BoxType> = [
    "avcC", "hvcC", "av1C", "esds", "dOps", "colr", "pasp", "btrt",
  ]

  private static func filtered(_ content: BoxReader, in type: BoxType) throws(FragmentedFileError) -> [UInt8]
  {
    if type == "stsd" { return try sampleEntry(content) }
    guard let kept = kept[type] else { return Array(content.bytes) }
    var result: [UInt8] = []
    for box in try content.boxes() where kept.contains(box.type) {
      result += Box.make(box.type, try filtered(box.content, in: box.type))
    }
    return result
  }

  /// The first entry of the table.
  private static func sampleEntry(_ table: BoxReader) throws(FragmentedFileError) -> [UInt8] {
    var table = table
    try table.skip(8)
    let entry = try table.box()
    /// Length of the entry's fields before its boxes.
    let length: Int
    switch entry.type {
    case "avc1", "avc3", "hvc1", "hev1", "av01": length = 78
    case "mp4a", "Opus": length = 28
    default: throw .foreign("its codec is none of a recording's")
    }
    var boxes = entry.content
    try boxes.skip(length)
    var content = Array(entry.content.bytes.prefix(length))
    for box in try boxes.boxes() where descriptions.contains(box.type) {
      content += Box.make(box.type, Array(box.content.bytes))
    }
    return Box.bytes(UInt32(0)) + Box.bytes(UInt32(1)) + Box.make(entry.type, content)
  }
}
