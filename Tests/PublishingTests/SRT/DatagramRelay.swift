import Foundation
import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// A way between a caller and a listener on which datagrams can be lost.
final class DatagramRelay: Sendable {
  let port: UInt16
  private let target: UInt16
  private let socket: Int32
  private let stop: Wakeup
  private let lossRate = Locked(0.0)
  private let thread = ThreadSlot()

  init(to target: UInt16) throws {
    self.target = target
    port = freeUDPPort()
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    stop = try Wakeup()
    let (socket, port) = (socket, port)
    let status = withLoopback(port) { bind(socket, $0, $1) }
    precondition(status == 0, "the port is taken")
    try thread.start(name: "relay") { [socket, target, stop, lossRate] in
      Self.run(socket, to: target, stop, lossRate)
    }
  }

  deinit {
    stop.signal()
    thread.join()
    close(socket)
  }

  /// From now on, so many of the caller's datagrams are lost; with 1, all of both.
  func lose(_ rate: Double) { lossRate.withLock { $0 = rate } }

  /// What comes from the target goes to whoever last sent something else.
  private static func run(_ socket: Int32, to target: UInt16, _ stop: Wakeup, _ lossRate: Locked<Double>) {
    var caller = sockaddr_in()
    var buffer = [UInt8](repeating: 0, count: 2048)
    while (try? stop.poll([socket], until: .now + .seconds(600))) == .ready {
      var sender = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let size = buffer.count
      let count = withUnsafeMutablePointer(to: &sender) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          recvfrom(socket, &buffer, size, 0, address, &length)
        }
      }
      guard count > 0 else { continue }
      let rate = lossRate.withLock { $0 }
      let isAnswer = UInt16(bigEndian: sender.sin_port) == target
      if !isAnswer { caller = sender }
      let isLost = isAnswer ? rate == 1 : Double.random(in: 0..<1) < rate
      if isLost { continue }
      if isAnswer {
        _ = withUnsafePointer(to: caller) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            sendto(socket, buffer, count, 0, address, length)
          }
        }
      } else {
        _ = withLoopback(target) { address, length in sendto(socket, buffer, count, 0, address, length) }
      }
    }
  }
}
