import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTSP

/// The sockets that RTP goes through when it does not share the connection: a pair for each track.
/// A lost datagram is no error.
final class RTPDatagrams {
  private struct Waiting {
    let socket: UDPSocket
    let bytes: [UInt8]
  }

  private let pairs: [UDPPair]
  private var waiting: [Waiting] = []
  private var buffer: [UInt8] = []
  private var isConnected = false
  /// Bytes that wait.
  private(set) var backlog = 0

  /// More than this is lost rather than late.
  private static let maxWaiting = 256 << 10
  private static let largestReport = 2048
  private static let maxReports = 64

  /// Sockets for `count` tracks, of the family of `peer`.
  init(count: Int, peer: String) throws(ConnectionError) {
    var pairs: [UDPPair] = []
    for _ in 0..<count { pairs.append(try UDPPair(at: peer.contains(":") ? "::" : "0.0.0.0")) }
    self.pairs = pairs
  }

  /// Our ports for the media.
  var ports: [UInt16] { pairs.map(\.media.port) }

  /// From now on the sockets talk with the server's ports.
  func connect(to peer: String, _ paths: [RTSPTrackPath]) throws(ConnectionError) {
    for (pair, path) in zip(pairs, paths) {
      guard case .datagrams(let media, let control) = path else { continue }
      try pair.connect(to: peer, media: media, control: control)
    }
    isConnected = true
  }

  /// Where reports of the server's arrive, for `poll`.
  var descriptors: [Int32] { isConnected ? pairs.map(\.control.descriptor) : [] }

  func send(_ packet: borrowing Span<UInt8>, track: Int, isReport: Bool) {
    guard isConnected, pairs.indices.contains(track) else { return }
    let socket = isReport ? pairs[track].control : pairs[track].media
    if waiting.isEmpty, isTaken(packet, by: socket) { return }
    guard backlog + packet.count <= Self.maxWaiting else { return }
    backlog += packet.count
    waiting.append(Waiting(socket: socket, bytes: packet.withUnsafeBufferPointer { Array($0) }))
  }

  /// Sends what had no room before.
  func flush() {
    guard !waiting.isEmpty else { return }
    let stuck = waiting.firstIndex { !isTaken($0.bytes.span, by: $0.socket) } ?? waiting.endIndex
    for datagram in waiting[..<stuck] { backlog -= datagram.bytes.count }
    waiting.removeSubrange(..<stuck)
  }

  private func isTaken(_ packet: borrowing Span<UInt8>, by socket: UDPSocket) -> Bool {
    do throws(ConnectionError) {
      return try socket.send(packet)
    } catch {
      return true
    }
  }

  /// Shows the reports that have arrived.
  func receive(_ show: (ReceptionReport) -> Void) {
    guard isConnected else { return }
    for pair in pairs {
      for _ in 0..<Self.maxReports {
        guard (try? pair.control.receive(into: &buffer, limit: Self.largestReport)) ?? false else { break }
        for report in ReceptionReport.reports(in: buffer.span) { show(report) }
      }
    }
  }
}
