import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Participants that read events over TLS, a little each second; one that the server drops comes back.
final class SlowParticipants: @unchecked Sendable {  // the thread owns all but `lock`'s
  static let count = 400
  private static let bytesPerSecond = 512

  private final class Participant {
    var connection: Connection?

    func read() {
      guard connection != nil else { return }
      var bytes: [UInt8] = []
      let result = try? connection?.read(into: &bytes, limit: SlowParticipants.bytesPerSecond)
      if result == nil || result == .ended { connection = nil }
    }
  }

  private let port: UInt16
  private let request: [UInt8]
  private let participants = (0..<SlowParticipants.count).map { _ in Participant() }
  private var opened = 0
  private var thread: RepeatingThread?

  init(port: UInt16, token: String) throws {
    self.port = port
    request = Array(
      ("GET /v1/events?status=100 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\r\n").utf8
    )
    let limit = MonotonicTime.now + .seconds(90)
    while participants.contains(where: { $0.connection == nil }) {
      guard .now < limit else { throw TestFailure("only \(opened) participants come in") }
      join(atMost: Self.count)
      usleep(100_000)
    }
    thread = RepeatingThread(every: 1_000_000) { [self] in
      for participant in participants { participant.read() }
      // So few that reading goes on.
      join(atMost: 10)
    }
  }

  func finish() -> String {
    thread?.finish()
    let there = participants.count { $0.connection != nil }
    return "slow participants: \(opened) opened, \(there) there at the end"
  }

  private func join(atMost count: Int) {
    for participant in participants.lazy.filter({ $0.connection == nil }).prefix(count) {
      guard let stop = try? Wakeup(),
        var connection = try? Connection(
          host: "127.0.0.1", port: port, tls: TLSSettings(isVerified: false), until: .now + .seconds(2),
          stop: stop)
      else { return }
      let request = request
      let written = (try? connection.write(request.span)) ?? 0
      guard written == request.count else { continue }
      participant.connection = consume connection
      opened += 1
    }
  }
}
