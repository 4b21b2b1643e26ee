/// Conversion between Annex B streams and packets or tracks.
extension Codec {
  package var hasNALUnits: Bool {
    switch self {
    case .h264, .hevc: true
    case .av1, .aac, .opus: false
    }
  }

  package func packetBytes(annexB bytes: borrowing Span<UInt8>) -> [UInt8] {
    switch self {
    case .h264: NALUnits.lengthPrefixed(annexB: bytes, keep: AVCConfiguration.belongsInPackets)
    case .hevc: NALUnits.lengthPrefixed(annexB: bytes, keep: HEVCConfiguration.belongsInPackets)
    case .av1, .aac, .opus: unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }

  /// A track's headers; nil if parameter sets are missing.
  package func headers(annexB bytes: borrowing Span<UInt8>) -> [UInt8]? {
    switch self {
    case .h264: AVCConfiguration.record(annexB: bytes)
    case .hevc: HEVCConfiguration.record(annexB: bytes)
    case .av1: AV1Configuration.headers(in: bytes)
    case .aac, .opus: bytes.isEmpty ? nil : unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }

  /// Whether a track with these headers takes what comes with `new` ones.
  package func covers(_ new: [UInt8], with headers: [UInt8]) -> Bool {
    if new == headers { return true }
    guard let known = parameterSets(headers: headers), let sets = parameterSets(headers: new) else {
      return false
    }
    return !sets.isEmpty && sets.allSatisfy(known.contains)
  }

  /// The parameter sets of an `avcC` or `hvcC` record, in order; nil if invalid.
  package func parameterSets(headers: [UInt8]) -> [[UInt8]]? {
    guard headers.first == 1 else { return nil }
    var record = RecordReader(headers)
    switch self {
    case .h264: return record.readAVC()
    case .hevc: return record.readHEVC()
    case .av1, .aac, .opus: return nil
    }
  }

  /// The packet's units behind the parameter sets of `headers`; its own bytes where these have none.
  package func withParameterSets(of headers: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    let sets = parameterSets(headers: headers) ?? []
    return sets.flatMap { set in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: set.count >> $0) } + set }
      + bytes
  }
}

/// Reads the numbers and length-prefixed units of a record (ISO/IEC 14496-15).
private struct RecordReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func readAVC() -> [[UInt8]]? {
    offset = 5
    guard let sequences = readNumber(1), let first = readUnits(sequences & 0x1F),
      let pictures = readNumber(1), let second = readUnits(pictures)
    else { return nil }
    return first + second
  }

  mutating func readHEVC() -> [[UInt8]]? {
    offset = 22
    guard let kinds = readNumber(1) else { return nil }
    var units: [[UInt8]] = []
    for _ in 0..<kinds {
      guard readNumber(1) != nil, let count = readNumber(2), let some = readUnits(count) else { return nil }
      units += some
    }
    return units
  }

  private mutating func readUnits(_ count: Int) -> [[UInt8]]? {
    var units: [[UInt8]] = []
    for _ in 0..<count {
      guard let length = readNumber(2), length <= bytes.count - offset else { return nil }
      units.append(Array(bytes[offset..<offset + length]))
      offset += length
    }
    return units
  }

  private mutating func readNumber(_ count: Int) -> Int? {
    guard count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
