import TestSupport

protocol HostilePeer {
  var url: String { get }
  var port: UInt16 { get }
  var connections: Int { get }
  func stop()
}

extension HostileRTMPServer: HostilePeer {}
extension HostileRTSPServer: HostilePeer {}
extension HostileSRTServer: HostilePeer {}

extension HostileSource: HostilePeer {
  var url: String { address }
  var port: UInt16 { 0 }
  func stop() { kill() }
}

/// A hostile server, in one of the protocols.
struct AttackPeer: Sendable {
  /// `rtmp floodsPings`
  let name: String
  /// Plays to the broadcast instead of being published to.
  var isSource = false
  let start: @Sendable () throws -> any HostilePeer

  private static let srtHabits: [HostileSRTServer.Habit] = [
    .announcesWindow(20_000_000), .announcesWindow(1 << 17), .floods, .fakesProgress, .drips,
  ]

  static let all: [AttackPeer] =
    HostileRTMPServer.Habit.allCases.map { habit in
      AttackPeer(name: "rtmp \(habit)") { try HostileRTMPServer(habit) }
    }
    + HostileRTSPServer.Habit.allCases.map { habit in
      AttackPeer(name: "rtsp \(habit)") { try HostileRTSPServer(habit) }
    }
    + srtHabits.map { habit in AttackPeer(name: "srt \(habit)") { try HostileSRTServer(habit) } }
    + HostileSource.Habit.allCases.map { habit in
      AttackPeer(name: "source \(habit.rawValue)", isSource: true) {
        try HostileSource(habit, in: ScratchFolder())
      }
    }
}
