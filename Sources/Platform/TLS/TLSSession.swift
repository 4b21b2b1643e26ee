import HoldfastCOpenSSL

/// A TLS session, of a client or a server, without a socket: ciphertext on one side, plaintext on the other.
struct TLSSession: ~Copyable, @unchecked Sendable {  // owned by the connection's thread
  /// The other end in error messages.
  let name: String
  private let peer: TLSPeer
  private let ssl: OpaquePointer
  /// Memory BIOs of ciphertext, owned by `ssl`.
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  /// The server's host as in its certificate; empty in a server.
  private let host: String
  private(set) var isEstablished = false
  private var hasInputEnded = false
  /// Whether decrypted bytes may be left, because the last read returned some.
  private(set) var mayHoldMore = false
  /// Ciphertext to send, from index `sent`.
  private var unsent: [UInt8] = []
  private var sent = 0

  /// The maximum payload of a TLS record.
  static let recordSize = 16384

  private init(
    _ context: TLSContext, with peer: TLSPeer, host: String, name: String
  ) throws(ConnectionError) {
    ERR_clear_error()
    guard let ssl = SSL_new(context.raw) else { throw .lastTLS(name, "no memory") }
    guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
      SSL_free(ssl)
      throw .lastTLS(name, "no memory")
    }
    SSL_set_bio(ssl, incoming, outgoing)
    switch peer {
    case .client: SSL_set_accept_state(ssl)
    case .server:
      SSL_set_connect_state(ssl)
      guard Self.expect(host, of: ssl, isVerified: context.isVerified) else {
        SSL_free(ssl)
        throw .lastTLS(name, "\"\(host)\" is not a valid name for a certificate")
      }
    }
    self.name = name
    self.peer = peer
    self.ssl = ssl
    self.incoming = incoming
    self.outgoing = outgoing
    self.host = host
  }

  /// A client's session; `name` is the server's name in errors.
  init(_ context: TLSContext, host: String, name: String) throws(ConnectionError) {
    try self.init(context, with: .server, host: Self.bare(host), name: name)
  }

  /// A server's session; `name` is the client's name in errors.
  init(serving context: TLSContext, name: String) throws(ConnectionError) {
    try self.init(context, with: .client, host: "", name: name)
  }

  deinit { SSL_free(ssl) }

  /// The host as in a certificate, without brackets, zone or trailing dot.
  private static func bare(_ host: String) -> String {
    let host = SocketAddress.withoutBrackets(host).prefix { $0 != "%" }
    return String(host.hasSuffix(".") ? host.dropLast() : host)
  }

  /// Sets the name or address to verify, and SNI for a name.
  private static func expect(_ host: String, of ssl: OpaquePointer, isVerified: Bool) -> Bool {
    let parameters = SSL_get0_param(ssl)
    let isAddress = X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1
    ERR_clear_error()
    if isAddress { return true }
    if isVerified {
      // A certificate names its hosts as alternative names; its common name does not count (RFC 9525).
      X509_VERIFY_PARAM_set_hostflags(
        parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
      guard X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1 else { return false }
    }
    return cssl_set_server_name(ssl, host) == 1
  }

  /// Adds ciphertext received from the network.
  mutating func receive(_ bytes: borrowing Span<UInt8>) throws(ConnectionError) {
    let isTaken = bytes.withUnsafeBytes {
      $0.isEmpty || BIO_write(incoming, $0.baseAddress, Int32(clamping: $0.count)) == $0.count
    }
    if !isTaken { throw .lastTLS(name, "no memory", from: peer) }
  }

  mutating func endInput() { hasInputEnded = true }

  /// Advances the handshake; true once it is finished.
  mutating func handshake() throws(ConnectionError) -> Bool {
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    defer { collect() }
    if result == 1 {
      isEstablished = true
      return true
    }
    guard SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ else {
      if hasInputEnded {
        throw ConnectionError(
          .closed, "\(name): the \(peer) ended the connection during the TLS handshake",
          hint: "check that it speaks TLS on this port")
      }
      return false
    }
    let verdict = SSL_get_verify_result(ssl)
    if verdict != Int(X509_V_OK), SSL_get_verify_mode(ssl) != SSL_VERIFY_NONE {
      ERR_clear_error()
      throw ConnectionError(name, certificate: verdict, host: host)
    }
    throw .lastTLS(name, "the TLS handshake failed", from: peer)
  }

  /// Appends at most `limit` bytes of plaintext; `.ended` once the peer has sent close_notify.
  mutating func read(
    into buffer: inout [UInt8], limit: Int
  ) throws(ConnectionError) -> Connection.ReadResult {
    ERR_clear_error()
    var result: Int32 = 0
    var received = 0
    buffer.append(upTo: limit) { room in
      result = SSL_read_ex(ssl, room.baseAddress, room.count, &received)
      return result == 1 ? received : 0
    }
    defer { collect() }
    mayHoldMore = result == 1
    if result == 1 { return .bytes(received) }
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ:
      if hasInputEnded { throw .cut(name) }
      return .nothingYet
    case SSL_ERROR_ZERO_RETURN:
      return .ended
    default:
      throw .lastTLS(name, "the TLS connection failed", from: peer)
    }
  }

  /// Encrypts at most one record of `bytes`; returns the number of bytes consumed.
  mutating func write(_ bytes: borrowing Span<UInt8>) throws(ConnectionError) -> Int {
    guard !bytes.isEmpty else { return 0 }
    ERR_clear_error()
    var taken = 0
    let result = bytes.withUnsafeBytes {
      SSL_write_ex(ssl, $0.baseAddress, min($0.count, Self.recordSize), &taken)
    }
    defer { collect() }
    guard result == 1 else { throw .lastTLS(name, "the TLS connection failed", from: peer) }
    return taken
  }

  /// Queues a close_notify alert.
  mutating func close() {
    ERR_clear_error()
    SSL_shutdown(ssl)
    ERR_clear_error()
    collect()
  }

  var pendingBytes: Int { unsent.count - sent }

  /// Passes pending ciphertext to `body`, which returns the number of bytes sent.
  mutating func withPending<Failure: Error>(
    _ body: (borrowing Span<UInt8>) throws(Failure) -> Int
  ) throws(Failure) {
    let count = try body(unsent.span.extracting(sent...))
    sent += count
    if sent == unsent.count {
      unsent.removeAll(keepingCapacity: true)
      sent = 0
    }
  }

  private mutating func collect() {
    let count = BIO_ctrl_pending(outgoing)
    guard count > 0 else { return }
    unsent.append(upTo: count) { room in
      max(0, Int(BIO_read(outgoing, room.baseAddress, Int32(clamping: room.count))))
    }
  }

  /// The protocol version, such as `TLSv1.3`.
  var version: String { String(cString: SSL_get_version(ssl)) }

  var cipher: String { String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl))) }
}
