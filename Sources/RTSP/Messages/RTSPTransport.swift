/// How the media is to travel.
package enum RTSPTransport: Hashable, Sendable {
  /// Between the messages, over the same connection.
  case interleaved
  /// In datagrams of their own, from these local ports: one of RTP for each track, that of RTCP is the next one.
  case datagrams(ports: [UInt16])
}

/// Where a track's packets go, as the server has agreed to.
package enum RTSPTrackPath: Hashable, Sendable {
  case interleaved(rtp: UInt8, rtcp: UInt8)
  case datagrams(rtp: UInt16, rtcp: UInt16)
}

extension RTSPTransport {
  func header(track: Int) -> String {
    switch self {
    case .interleaved: "RTP/AVP/TCP;unicast;interleaved=\(2 * track)-\(2 * track + 1);mode=record"
    case .datagrams(let ports):
      "RTP/AVP;unicast;client_port=\(ports[track])-\(ports[track] &+ 1);mode=record"
    }
  }

  /// Room in one connection: channels are bytes.
  static let maxTracks = 64
}

extension RTSPTrackPath {
  /// What the server's Transport header makes of what was asked for; a server that repeats nothing takes it as it is.
  init(answer: String?, to transport: RTSPTransport, track: Int) throws(RTSPError) {
    var parameters: [String: Substring] = [:]
    let parts = (answer ?? "").split(separator: ";")
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { parameters[pair[0].trimmed.lowercased()] = pair[1] }
    }
    let isOverTCP = parts.first?.lowercased().contains("/tcp")
    switch transport {
    case .interleaved:
      guard isOverTCP ?? true else { throw RTSPError(.unexpected, "the server has chosen another transport") }
      let pair = try Self.pair(parameters["interleaved"], or: (UInt8(2 * track), UInt8(2 * track + 1)))
      self = .interleaved(rtp: pair.0, rtcp: pair.1)
    case .datagrams:
      guard isOverTCP == false, let ports = parameters["server_port"] else {
        throw RTSPError(.unexpected, "the server names no ports to send to")
      }
      let pair: (UInt16, UInt16) = try Self.pair(ports, or: (0, 0))
      guard pair.0 > 0, pair.1 > 0 else { throw RTSPError(.malformed, "the server names port 0") }
      self = .datagrams(rtp: pair.0, rtcp: pair.1)
    }
  }

  /// Reads `8000-8001`, or `8000` alone.
  private static func pair<Number: FixedWidthInteger>(
    _ text: Substring?, or usual: (Number, Number)
  ) throws(RTSPError) -> (Number, Number) {
    guard let text else { return usual }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Number($0.trimmed) }
    guard let first = numbers.first ?? nil, numbers.count <= 2 else {
      throw RTSPError(.malformed, "a Transport header without numbers")
    }
    guard let second = numbers.count == 2 ? numbers[1] : first &+ 1, second != first else {
      throw RTSPError(.malformed, "a Transport header with one number for two things")
    }
    return (first, second)
  }
}
