internal import HoldfastPlatform

/// Where and when an FLV file can be continued: behind its last whole tag.
struct FLVTail: Hashable {
  let size: Int
  /// When the continuation may begin, in milliseconds: a step behind the last packet of every track.
  let time: Int64
  let flags: UInt8

  /// So many tags at the end tell when each track ends.
  private static let tagsLookedAt = 400

  /// Nil where nothing is in `file` yet, or only a part of the header. Fails where it is no FLV.
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
    return FLVTail(size: end, time: try endTime(file, end), flags: header[FLVFormat.flagsOffset])
  }

  /// The tag that ends at `end`, if one does.
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

  /// The end of the last whole tag, found from the front, in a file that breaks off.
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

  private static func endTime(_ file: borrowing FileDescriptor, _ end: Int) throws(SystemError) -> Int64 {
    var tracks: [UInt8: (last: Int64, step: Int64?)] = [:]
    var end = end
    for _ in 0..<tagsLookedAt {
      guard let (start, header) = try tag(endingAt: end, in: file) else { break }
      end = start
      if let track = tracks[header.typeID] {
        // Headers stand at the time of a packet, and are no step.
        if track.step == nil, track.last > header.time {
          tracks[header.typeID]?.step = track.last - header.time
        }
      } else {
        tracks[header.typeID] = (header.time, nil)
      }
      if tracks.count == 3, tracks.values.allSatisfy({ $0.step != nil }) { break }
    }
    // What lies far apart, as data does, says nothing of how long a packet lasts.
    return tracks.values.map { $0.last + min($0.step ?? 1, 100) }.max() ?? 0
  }
}
