import Glibc
import HoldfastCOpenSSL
import HoldfastPlatform
import TestSupport

/// The certificates of a test server need no check here: a client's work is not what is measured.
final class ClientTLS {
  fileprivate let context: OpaquePointer

  init() throws {
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw TestFailure("no context for TLS") }
    self.context = context
    // Idle sessions give their buffers back.
    SSL_CTX_ctrl(context, SSL_CTRL_MODE, 0x10, nil)
  }

  deinit { SSL_CTX_free(context) }
}

/// A client's end of a connection, which never blocks.
final class ClientConnection {
  enum Received {
    case bytes(Int)
    case nothingYet
    case closed
  }

  let descriptor: Int32
  private let session: OpaquePointer?
  private(set) var isOpen = false

  /// Begins to connect from an address of this machine.
  init(port: UInt16, from source: String, tls: ClientTLS?) throws {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_INET, kind, 0)
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let isBound = withLoopback(0, host: source) { [descriptor] in bind(descriptor, $0, $1) } == 0
    let result = withLoopback(port) { [descriptor] in connect(descriptor, $0, $1) }
    guard isBound, result == 0 || errno == EINPROGRESS else {
      close(descriptor)
      throw TestFailure("connect: \(String(cString: strerror(errno)))")
    }
    session = tls.flatMap { SSL_new($0.context) }
    if let session {
      SSL_set_fd(session, descriptor)
      SSL_set_connect_state(session)
    }
  }

  deinit {
    if let session { SSL_free(session) }
    close(descriptor)
  }

  /// Called when the socket is ready; false once the connection has failed.
  func advance() -> Bool {
    guard !isOpen else { return true }
    var (code, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0, code == 0 else { return false }
    let result = session.map { SSL_do_handshake($0) } ?? 1
    isOpen = result == 1
    guard let session, !isOpen else { return true }
    defer { ERR_clear_error() }
    let error = SSL_get_error(session, result)
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
  }

  /// A request always fits into the socket's buffer; false if it did not.
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let session else {
        return Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
          == bytes.count
      }
      defer { ERR_clear_error() }
      return SSL_write(session, bytes.baseAddress, Int32(bytes.count)) == bytes.count
    }
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
    guard let session else {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      return count < 0 && errno == EAGAIN ? .nothingYet : .closed
    }
    let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
    if count > 0 { return .bytes(Int(count)) }
    defer { ERR_clear_error() }
    return SSL_get_error(session, count) == SSL_ERROR_WANT_READ ? .nothingYet : .closed
  }
}
