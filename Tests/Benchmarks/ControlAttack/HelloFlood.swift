import Foundation
import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Sends the beginning of TLS handshakes, which the server has to answer with its key, and hangs up.
final class HelloFlood: @unchecked Sendable {  // the thread owns all
  static let perSecond = 400
  static let addresses = (1...4).map { "127.0.8.\($0)" }
  private static let tick = 25

  private let port: UInt16
  private let hello: [UInt8]
  private let start = MonotonicTime.now
  private var sent = 0
  private var answered = 0
  private var waiting: [WireClient] = []
  private var thread: RepeatingThread?

  init(port: UInt16) throws {
    self.port = port
    hello = try Self.clientHello()
    thread = RepeatingThread(every: useconds_t(Self.tick * 1000)) { [self] in send() }
  }

  func finish() -> String {
    thread?.finish()
    let rate = Double(sent) / (MonotonicTime.now - start).seconds
    return "TLS hellos: \(sent) sent, \(Int(rate)) a second, \(answered) answered"
  }

  private func send() {
    answered += waiting.count { $0.receive(until: .now) && !$0.received.isEmpty }
    waiting = []
    let due = Int((MonotonicTime.now - start).seconds * Double(Self.perSecond)) - sent
    for _ in 0..<min(max(0, due), Self.perSecond / 10) {
      sent += 1
      guard let client = try? WireClient(port: port, from: Self.addresses[sent % Self.addresses.count]) else {
        continue
      }
      client.send(hello, within: 0.1)
      waiting.append(client)
    }
  }

  /// What our own client says first.
  private static func clientHello() throws -> [UInt8] {
    let hello = Locked<[UInt8]>([])
    let server = try SerialServer(name: "hello") { connection, _ in
      var connection = connection
      var bytes: [UInt8] = []
      try connection.wait(until: .now + .seconds(5))
      _ = try connection.read(into: &bytes)
      hello.withLock { $0 = bytes }
    }
    // It fails, as nobody answers.
    _ = try? Connection(
      host: "127.0.0.1", port: server.port, tls: TLSSettings(isVerified: false), until: .now + .seconds(5),
      stop: try Wakeup())
    server.stop()
    return hello.withLock { $0 }
  }
}
