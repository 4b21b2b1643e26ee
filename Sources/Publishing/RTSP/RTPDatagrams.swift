import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTSP

/// The sockets for RTP in datagrams: a pair for each track. Lost datagrams are not an error.
final class RTPDatagrams {
  private let pairs: [UDPPair]
  private var waiting: [(socket: UDPSocket, bytes: [UInt8])] = []
  private var buffer: [UInt8] = []
  private var isConnected = false
  private(set) var backlog = 0

  /// Datagrams beyond this are dropped.
  private static let maxBacklog = 256 << 10
  private static let maxReportSize = 2048
  private static let maxReports = 64

  init(count: Int, peer: String) throws(ConnectionError) {
    let address = peer.contains(":") ? "::" : "0.0.0.0"
    pairs = try (0..<count).map { (_) throws(ConnectionError) in try UDPPair(at: address) }
  }

  var ports: [UInt16] { pairs.map(\.media.port) }

  func connect(to peer: String, _ paths: [RTSPTrackPath]) throws(ConnectionError) {
    for (pair, path) in zip(pairs, paths) {
      guard case .datagrams(let media, let control) = path else { continue }
      try pair.connect(to: peer, media: media, control: control)
    }
    isConnected = true
  }

  /// The sockets on which the server's reports arrive, for `poll`.
  var descriptors: [Int32] { isConnected ? pairs.map(\.control.descriptor) : [] }

  func send(_ packet: borrowing Span<UInt8>, track: Int, isReport: Bool) {
    guard isConnected, pairs.indices.contains(track) else { return }
    let socket = isReport ? pairs[track].control : pairs[track].media
    if waiting.isEmpty, isSent(packet, by: socket) { return }
    guard backlog + packet.count <= Self.maxBacklog else { return }
    backlog += packet.count
    waiting.append((socket, packet.withUnsafeBufferPointer { Array($0) }))
  }

  func flush() {
    guard !waiting.isEmpty else { return }
    let firstUnsent = waiting.firstIndex { !isSent($0.bytes.span, by: $0.socket) } ?? waiting.endIndex
    for datagram in waiting[..<firstUnsent] { backlog -= datagram.bytes.count }
    waiting.removeSubrange(..<firstUnsent)
  }

  private func isSent(_ packet: borrowing Span<UInt8>, by socket: UDPSocket) -> Bool {
    (try? socket.send(packet)) ?? true
  }

  func receive(_ emit: (ReceptionReport) -> Void) {
    guard isConnected else { return }
    for pair in pairs {
      for _ in 0..<Self.maxReports {
        guard (try? pair.control.receive(into: &buffer, limit: Self.maxReportSize)) ?? false else { break }
        for report in ReceptionReport.reports(in: buffer.span) { emit(report) }
      }
    }
  }
}
