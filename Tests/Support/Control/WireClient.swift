import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

/// A TCP client on the loopback interface that sends arbitrary bytes and parses HTTP responses.
package final class WireClient {
  package struct Response: Hashable, Sendable {
    package let status: Int
    package let head: String
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  package let descriptor: Int32
  /// Bytes received and not yet parsed as a response.
  package private(set) var received: [UInt8] = []
  package private(set) var isOver = false

  /// `source` is the address to connect from, anywhere in 127.0.0.0/8.
  package init(port: UInt16, from source: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    let isThere =
      withLoopback(0, host: source) { bind(descriptor, $0, $1) } == 0
      && withLoopback(port) { connect(descriptor, $0, $1) } == 0
    // The socket is closed by `deinit` here, too.
    guard isThere else { throw TestFailure("port \(port): \(String(cString: strerror(errno)))") }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  /// False when the peer does not accept all bytes in time.
  @discardableResult
  package func send(_ bytes: [UInt8], within seconds: Double = 10) -> Bool {
    let deadline = MonotonicTime.now + .milliseconds(Int64(seconds * 1000))
    var sent = 0
    while sent < bytes.count {
      guard isReady(Int16(POLLOUT), until: deadline) else { return false }
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
  package func send(_ text: String, within seconds: Double = 10) -> Bool {
    send(Array(text.utf8), within: seconds)
  }

  package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  package func response(within seconds: Double = 10) -> Response? {
    let deadline = MonotonicTime.now + .milliseconds(Int64(seconds * 1000))
    while true {
      if let response = takeResponse() { return response }
      guard receive(until: deadline) else { return nil }
    }
  }

  /// All responses until the peer closes the connection; nil if it does not close in time.
  package func responsesUntilEnd(within seconds: Double = 10) -> [Response]? {
    let deadline = MonotonicTime.now + .milliseconds(Int64(seconds * 1000))
    while receive(until: deadline) {}
    guard isOver else { return nil }
    var responses: [Response] = []
    while let response = takeResponse() { responses.append(response) }
    return responses
  }

  /// Whether the peer has closed its side, even with unread data pending.
  package var isHungUp: Bool {
    var entry = pollfd(fd: descriptor, events: Self.hungUp, revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// POLLRDHUP, which Glibc's Swift module does not export.
  private static let hungUp: Int16 = 0x2000

  package var text: String { String(decoding: received, as: UTF8.self) }

  private func isReady(_ event: Int16, until deadline: MonotonicTime) -> Bool {
    var entry = pollfd(fd: descriptor, events: event, revents: 0)
    let left = max(0, deadline.nanoseconds - MonotonicTime.now.nanoseconds) / 1_000_000
    return poll(&entry, 1, Int32(left)) > 0
  }

  package func receive(until deadline: MonotonicTime) -> Bool {
    guard !isOver, isReady(Int16(POLLIN), until: deadline) else { return false }
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &piece, piece.count, 0)
    isOver = count <= 0
    if count > 0 { received += piece[..<count] }
    return count > 0
  }

  private func takeResponse() -> Response? {
    let blank = Array("\r\n\r\n".utf8)
    guard received.count > 4,
      let end = (0...received.count - 4).first(where: { received[$0..<$0 + 4].elementsEqual(blank) })
    else { return nil }
    let head = String(decoding: received[..<end], as: UTF8.self)
    let lines = head.split(separator: "\r\n")
    let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let start = end + 4
    // Without a length, the body extends to the end of the stream.
    guard let stop = status == 100 ? start : length.map({ start + $0 }) ?? (isOver ? received.count : nil),
      stop <= received.count
    else { return nil }
    let response = Response(status: status, head: head, body: Array(received[start..<stop]))
    received.removeSubrange(..<stop)
    return response
  }
}
