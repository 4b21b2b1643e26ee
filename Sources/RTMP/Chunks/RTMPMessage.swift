package struct RTMPMessage: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case setChunkSize = 1
    case abort = 2
    case acknowledgement = 3
    case userControl = 4
    case windowAcknowledgementSize = 5
    case setPeerBandwidth = 6
    case audio = 8
    case video = 9
    case dataAMF3 = 15
    case commandAMF3 = 17
    case dataAMF0 = 18
    case commandAMF0 = 20
    case aggregate = 22
  }

  /// The type on the wire, known or not.
  package var typeID: UInt8
  /// Milliseconds, modulo 2^32.
  package var timestamp: UInt32
  package var streamID: UInt32
  package var payload: [UInt8]

  package var kind: Kind? { Kind(rawValue: typeID) }
}

extension RTMPMessage {
  package init(_ kind: Kind, timestamp: UInt32 = 0, streamID: UInt32 = 0, payload: [UInt8]) {
    self.init(typeID: kind.rawValue, timestamp: timestamp, streamID: streamID, payload: payload)
  }

  /// A command's name and all its values. AMF3 starts with a format byte and is AMF0 until it switches.
  func command(limits: RTMPLimits) throws(RTMPError) -> (name: String, values: [AMFValue]) {
    let start = kind == .commandAMF3 && payload.first == 0 ? 1 : 0
    let values = try AMFReader.values(in: payload, from: start, limits: limits)
    guard let name = values.first?.text else { throw .malformed("a command without a name") }
    return (name, values)
  }

  /// The 32-bit number of a control message at `offset`.
  func number(at offset: Int = 0) throws(RTMPError) -> UInt32 {
    guard offset >= 0, payload.count >= offset + 4 else { throw .malformed("a control message is too short") }
    return payload[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
