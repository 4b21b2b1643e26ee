import HoldfastPlatform

/// The position and time at which an FLV file can be continued: after its last complete tag.
struct FLVTail: Hashable {
  let size: Int
  /// The time of the last packet, in milliseconds.
  let last: Int64
  /// One packet's duration after the last packet of every track.
  let end: Int64
  let flags: UInt8

  /// Number of tags at the end searched for the end time of each track.
  private static let maxSearchedTags = 400

  /// Nil if `file` is empty or holds only part of a header. Throws if it is not FLV.
  static func find(in file: borrowing FileDescriptor) throws(SystemError) -> FLVTail? {
    let size = try file.size()
    let header = try file.bytes(FLVFormat.headerSize, at: 0)
    guard FLVFormat.isHeader(header) else {
      guard size < FLVFormat.headerSize, FLVFormat.header(flags: 0).starts(with: header.prefix(4)) else {
        throw .foreignFormat("read")
      }
      return nil
    }
    let end = try tag(endingAt: size, in: file) == nil ? scan(file, size) : size
    let times = try times(file, end)
    return FLVTail(size: end, last: times.last, end: times.end, flags: header[FLVFormat.flagsOffset])
  }

  private static func tag(
    endingAt end: Int, in file: borrowing FileDescriptor
  ) throws(SystemError) -> (start: Int, header: FLVFormat.TagHeader)? {
    let trailer = FLVFormat.trailerSize
    guard end - trailer >= FLVFormat.headerSize else { return nil }
    let start = end - trailer - FLVFormat.number(try file.bytes(trailer, at: end - trailer))
    guard start >= FLVFormat.headerSize, start < end,
      let header = FLVFormat.TagHeader(try file.bytes(FLVFormat.tagHeaderSize, at: start)),
      start + header.wholeSize == end
    else { return nil }
    return (start, header)
  }

  /// The end of the last complete tag, found by scanning a truncated file from the start.
  private static func scan(_ file: borrowing FileDescriptor, _ size: Int) throws(SystemError) -> Int {
    var offset = FLVFormat.headerSize
    while let header = FLVFormat.TagHeader(try file.bytes(FLVFormat.tagHeaderSize, at: offset)),
      offset + header.wholeSize <= size,
      FLVFormat.number(
        try file.bytes(FLVFormat.trailerSize, at: offset + header.wholeSize - FLVFormat.trailerSize))
        == header.size + FLVFormat.tagHeaderSize
    {
      offset += header.wholeSize
    }
    return offset
  }

  private static func times(
    _ file: borrowing FileDescriptor, _ end: Int
  ) throws(SystemError) -> (last: Int64, end: Int64) {
    var tracks: [UInt8: (last: Int64, step: Int64?)] = [:]
    var end = end
    for _ in 0..<maxSearchedTags {
      guard let (start, header) = try tag(endingAt: end, in: file) else { break }
      end = start
      if let track = tracks[header.typeID] {
        // Codec headers share the time of a packet, so a step of 0 is ignored.
        if track.step == nil, track.last > header.time {
          tracks[header.typeID]?.step = track.last - header.time
        }
      } else {
        tracks[header.typeID] = (header.time, nil)
      }
      if tracks.count == 3, tracks.values.allSatisfy({ $0.step != nil }) { break }
    }
    // Widely spaced tags, such as data, do not show a packet's duration.
    return (
      tracks.values.map(\.last).max() ?? 0, tracks.values.map { $0.last + min($0.step ?? 1, 100) }.max() ?? 0
    )
  }
}
