import TestSupport

/// A hostile server, in one of the protocols.
enum AttackPeer {
  case rtmp(HostileRTMPServer.Habit)
  case rtsp(HostileRTSPServer.Habit)
  case srt(HostileSRTServer.Habit)
  /// Plays to the broadcast instead of being published to.
  case source(HostileSource.Habit)

  static let all: [AttackPeer] =
    HostileRTMPServer.Habit.allCases.map(AttackPeer.rtmp)
    + HostileRTSPServer.Habit.allCases.map(AttackPeer.rtsp)
    + [.announcesWindow(20_000_000), .announcesWindow(1 << 17), .floods, .fakesProgress, .drips].map(
      AttackPeer.srt) + HostileSource.Habit.allCases.map(AttackPeer.source)

  /// `rtmp floodsPings`
  var name: String {
    switch self {
    case .rtmp(let habit): "rtmp \(habit)"
    case .rtsp(let habit): "rtsp \(habit)"
    case .srt(let habit): "srt \(habit)"
    case .source(let habit): "source \(habit.rawValue)"
    }
  }

  var isSource: Bool { if case .source = self { true } else { false } }

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
    case .source(let habit):
      let server = try HostileSource(habit, in: ScratchFolder())
      return RunningPeer(url: server.address, port: 0, connections: { server.connections }, stop: server.kill)
    }
  }
}

struct RunningPeer {
  let url: String
  let port: UInt16
  let connections: () -> Int
  let stop: () -> Void
}
