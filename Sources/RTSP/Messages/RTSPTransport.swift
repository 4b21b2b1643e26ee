package enum RTSPTransport: Hashable, Sendable {
  /// In the connection of the messages.
  case interleaved
  /// In datagrams from these local ports: RTP's of each track; RTCP uses the next one.
  case datagrams(ports: [UInt16])
}

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

  /// Channels are bytes.
  static let maxTracks = 64
}

extension RTSPTrackPath {
  /// Parses the server's Transport header; a server that omits values accepts those requested.
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
        throw RTSPError(.unexpected, "the server provides no ports to send to")
      }
      let pair: (UInt16, UInt16) = try Self.pair(ports, or: (0, 0))
      guard pair.0 > 0, pair.1 > 0 else { throw RTSPError(.malformed, "the server names port 0") }
      self = .datagrams(rtp: pair.0, rtcp: pair.1)
    }
  }

  private static func pair<Number: FixedWidthInteger>(
    _ text: Substring?, or usual: (Number, Number)
  ) throws(RTSPError) -> (Number, Number) {
    guard let text else { return usual }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Number($0.trimmed) }
    guard let first = numbers.first ?? nil, numbers.count <= 2 else {
      throw RTSPError(.malformed, "a Transport header without numbers")
    }
    guard let second = numbers.count == 2 ? numbers[1] : first &+ 1, second != first else {
      throw RTSPError(.malformed, "a Transport header with two equal numbers")
    }
    return (first, second)
  }
}
