/// Assembles messages from chunks that arrive in any pieces, within limits.
package struct ChunkReader: Sendable {
  private struct Stream: Sendable {
    var timestamp: UInt32 = 0
    var delta: UInt32 = 0
    var length = 0
    var typeID: UInt8 = 0
    var streamID: UInt32 = 0
    var isExtended = false
    var payload: [UInt8] = []
    var isInMessage = false
  }

  private enum State: Sendable {
    case header
    case payload(stream: Int, left: Int)
  }

  package var limits: RTMPLimits
  private var chunkSize = 128
  private var state = State.header
  private var header: [UInt8] = []
  private var ids: [UInt32] = []
  private var streams: [Stream] = []
  /// The declared lengths of all incomplete messages.
  private var pending = 0
  /// The size of the memory behind all incomplete messages.
  package private(set) var heldBytes = 0

  static let maxChunkSize = 0xFF_FFFF

  package init(limits: RTMPLimits = RTMPLimits()) {
    self.limits = limits
    header.reserveCapacity(18)
  }

  /// Returns the messages that `bytes` complete.
  package mutating func receive(_ bytes: borrowing Span<UInt8>) throws(RTMPError) -> [RTMPMessage] {
    var messages: [RTMPMessage] = []
    var offset = 0
    while offset < bytes.count {
      switch state {
      case .header:
        header.append(bytes[offset])
        offset += 1
        try readHeader()
        // An empty message is complete with its header.
        if case .payload(let stream, 0) = state { messages.append(try finish(stream)) }
      case .payload(let stream, let left):
        let count = min(left, bytes.count - offset)
        append(bytes.extracting(offset..<offset + count), to: stream)
        offset += count
        if count < left {
          state = .payload(stream: stream, left: left - count)
        } else if streams[stream].payload.count < streams[stream].length {
          state = .header
        } else {
          messages.append(try finish(stream))
        }
      }
    }
    return messages
  }

  private mutating func append(_ bytes: borrowing Span<UInt8>, to stream: Int) {
    let before = streams[stream].payload.capacity
    unsafe bytes.withUnsafeBufferPointer { unsafe streams[stream].payload.append(contentsOf: $0) }
    heldBytes += streams[stream].payload.capacity - before
  }

  private mutating func finish(_ index: Int) throws(RTMPError) -> RTMPMessage {
    state = .header
    let stream = streams[index]
    drop(index)
    let message = RTMPMessage(
      typeID: stream.typeID, timestamp: stream.timestamp, streamID: stream.streamID, payload: stream.payload)
    switch message.kind {
    case .setChunkSize:
      let size = Int(try message.number() & 0x7FFF_FFFF)
      guard size > 0 else { throw .malformed("a chunk size of 0") }
      chunkSize = min(size, Self.maxChunkSize)
    case .abort:
      let id = try message.number()
      if let aborted = ids.firstIndex(of: id) { drop(aborted) }
    default: break
    }
    return message
  }

  private mutating func drop(_ index: Int) {
    guard streams[index].isInMessage else { return }
    pending -= streams[index].length
    heldBytes -= streams[index].payload.capacity
    streams[index].payload = []
    streams[index].isInMessage = false
  }
}

// MARK: - Headers

extension ChunkReader {
  private mutating func readHeader() throws(RTMPError) {
    let basic = Self.basicLength(header[0])
    guard header.count >= basic else { return }
    let id = Self.chunkStreamID(header)
    let format = header[0] >> 6
    let fixed = basic + [11, 7, 3, 0][Int(format)]
    guard header.count >= fixed else { return }
    let index = try stream(id, format)
    let isExtended =
      format == 3 ? streams[index].isExtended : number(at: basic, count: 3) == 0xFF_FFFF
    guard header.count >= fixed + (isExtended ? 4 : 0) else { return }
    let time = isExtended ? number(at: fixed, count: 4) : format == 3 ? 0 : number(at: basic, count: 3)
    try begin(index, format, basic, isExtended: isExtended, time: time)
    header.removeAll(keepingCapacity: true)
  }

  private mutating func begin(
    _ index: Int, _ format: UInt8, _ basic: Int, isExtended: Bool, time: UInt32
  ) throws(RTMPError) {
    var stream = streams[index]
    if stream.isInMessage {
      guard format == 3 else { throw .malformed("a message begins within another one of its chunk stream") }
    } else {
      if format < 2 {
        stream.length = Int(number(at: basic + 3, count: 3))
        stream.typeID = header[basic + 6]
      }
      switch format {
      case 0:
        stream.streamID = (0..<4).reduce(0) { $0 | UInt32(header[basic + 7 + $1]) << (8 * UInt32($1)) }
        stream.timestamp = time
        stream.delta = 0
      case 1, 2:
        stream.delta = time
        stream.timestamp &+= time
      default: stream.timestamp &+= stream.delta
      }
      stream.isExtended = isExtended
      stream.isInMessage = true
      guard stream.length <= limits.messageSize else {
        throw .limitExceeded("a message of \(stream.length) bytes")
      }
      guard pending + stream.length <= limits.pendingBytes else {
        throw .limitExceeded("unfinished messages")
      }
      pending += stream.length
      // A declared length alone must not allocate memory.
      stream.payload.reserveCapacity(min(stream.length, 64 << 10))
      heldBytes += stream.payload.capacity
    }
    streams[index] = stream
    state = .payload(stream: index, left: min(chunkSize, stream.length - stream.payload.count))
  }

  private mutating func stream(_ id: UInt32, _ format: UInt8) throws(RTMPError) -> Int {
    if let index = ids.firstIndex(of: id) { return index }
    guard format == 0 || format == 1 else { throw .malformed("a chunk stream that begins without a header") }
    guard ids.count < limits.chunkStreams else { throw .limitExceeded("chunk streams") }
    ids.append(id)
    streams.append(Stream())
    return ids.count - 1
  }

  private static func basicLength(_ first: UInt8) -> Int {
    switch first & 0x3F {
    case 0: 2
    case 1: 3
    default: 1
    }
  }

  private static func chunkStreamID(_ header: [UInt8]) -> UInt32 {
    switch header[0] & 0x3F {
    case 0: 64 + UInt32(header[1])
    case 1: 64 + UInt32(header[1]) + UInt32(header[2]) << 8
    case let id: UInt32(id)
    }
  }

  private func number(at offset: Int, count: Int) -> UInt32 {
    header[offset..<offset + count].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
