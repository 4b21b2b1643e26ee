import TestSupport

/// A hostile server, in one of the protocols.
enum AttackPeer {
  case rtmp(HostileRTMPServer.Habit)
  case rtsp(HostileRTSPServer.Habit)
  case srt(HostileSRTServer.Habit)

  static let all: [AttackPeer] =
    HostileRTMPServer.Habit.allCases.map(AttackPeer.rtmp)
    + HostileRTSPServer.Habit.allCases.map(AttackPeer.rtsp)
    + [.announcesWindow(20_000_000), .announcesWindow(1 << 17), .floods, .fakesProgress, .drips].map(
      AttackPeer.srt)

  /// `rtmp floodsPings`
  var name: String {
    switch self {
    case .rtmp(let habit): "rtmp \(habit)"
    case .rtsp(let habit): "rtsp \(habit)"
    case .srt(let habit): "srt \(habit)"
    }
  }

  func start() throws -> RunningPeer {
    switch self {
    case .rtmp(let habit):
      let server = try HostileRTMPServer(habit)
      return RunningPeer(
        url: server.url, port: server.port, connections: { server.connections }, stop: server.stop)
    case .rtsp(let habit):
      let server = try HostileRTSPServer(habit)
      return RunningPeer(
        url: server.url, port: server.port, connections: { server.connections }, stop: server.stop)
    case .srt(let habit):
      let server = try HostileSRTServer(habit)
      return RunningPeer(
        url: server.url, port: server.port, connections: { server.connections }, stop: server.stop)
    }
  }
}

struct RunningPeer {
  let url: String
  let port: UInt16
  let connections: () -> Int
  let stop: () -> Void
}
