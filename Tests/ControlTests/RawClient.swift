import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// A TCP connection to this machine, to talk over as one likes.
final class RawClient {
  let descriptor: Int32
  private(set) var received: [UInt8] = []

  struct Failure: Error {
    let what: String
  }

  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw Failure(what: "connect: \(errno)")
    }
  }

  deinit {
    close(descriptor)
  }

  /// As much as the other end takes.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      guard isReady(Int16(POLLOUT), until: .now + .seconds(30)) else { return false }
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno != EAGAIN { return false }
      sent += max(0, count)
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  func get(_ target: String, _ headers: String = "") {
    send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
  }

  func finishSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  private func isReady(_ event: Int16, until deadline: MonotonicTime) -> Bool {
    var entry = pollfd(fd: descriptor, events: event, revents: 0)
    let left = max(0, deadline.nanoseconds - MonotonicTime.now.nanoseconds) / 1_000_000
    return poll(&entry, 1, Int32(left)) > 0
  }

  /// False at the end, and when nothing comes in time.
  func receiveMore(within limit: MediaTime = .seconds(30)) -> Bool {
    guard isReady(Int16(POLLIN), until: .now + limit) else { return false }
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &piece, piece.count, 0)
    if count > 0 { received += piece[..<count] }
    return count > 0
  }

  var text: String { String(decoding: received, as: UTF8.self) }

  /// Reads until what has come holds `wanted` so often.
  func wait(for wanted: String, times: Int = 1) throws {
    let wanted = Array(wanted.utf8)
    var (found, searched) = (0, 0)
    while true {
      while let place = place(of: wanted, from: searched) {
        (found, searched) = (found + 1, place + wanted.count)
      }
      if found >= times { return }
      searched = max(searched, received.count - wanted.count + 1)
      guard receiveMore() else {
        throw Failure(what: "no \(String(decoding: wanted, as: UTF8.self)) in \(text.suffix(1000))")
      }
    }
  }

  private func place(of wanted: [UInt8], from start: Int) -> Int? {
    received.withUnsafeBytes { bytes in
      var place = start
      while let base = bytes.baseAddress, place + wanted.count <= bytes.count,
        let found = memchr(base + place, Int32(wanted[0]), bytes.count - wanted.count - place + 1)
      {
        place = UnsafeRawPointer(found) - base
        if memcmp(found, wanted, wanted.count) == 0 { return place }
        place += 1
      }
      return nil
    }
  }

  /// All that comes until the end.
  func rest() -> String {
    while receiveMore() {}
    return text
  }

  /// True when the other end hangs up in time, whatever it says before.
  func isHungUp(within limit: MediaTime = .seconds(30)) -> Bool {
    let deadline = MonotonicTime.now + limit
    while .now < deadline {
      guard isReady(Int16(POLLIN), until: deadline) else { return false }
      if !receiveMore(within: .zero) { return true }
    }
    return false
  }
}
