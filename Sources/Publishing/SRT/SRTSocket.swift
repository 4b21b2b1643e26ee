import HoldfastCSRT
import HoldfastMediaModel
import HoldfastPlatform

/// A non-blocking socket of libsrt, closed with its owner.
struct SRTSocket: ~Copyable {
  let raw: SRTSOCKET

  /// Seven packets of a transport stream, which fit into one packet of any network.
  static let payloadSize = 1316

  /// Creates a socket with the options of `url`, for a stream of `bitrate` bits per second.
  init(_ url: SRTURL, bitrate: Int, connectWithin limit: MediaTime) throws(SRTError) {
    try SRTLibrary.start()
    let raw = try check(srt_create_socket(), "srt_create_socket")
    do {
      try Self.configure(raw, url, bitrate: bitrate, connectWithin: limit)
    } catch {
      srt_close(raw)
      throw error
    }
    self.raw = raw
  }

  init(owning raw: SRTSOCKET) { self.raw = raw }

  deinit { srt_close(raw) }

  consuming func release() -> SRTSOCKET {
    let raw = raw
    discard self
    return raw
  }

  /// Starts to connect; the socket's state shows the result.
  func connect(to address: SocketAddress) throws(SRTError) {
    try bind(toReach: address)
    let status = address.withBytes { bytes in
      srt_connect(raw, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, Int32(bytes.count))
    }
    try check(status, "srt_connect")
  }

  /// The library allocates 24 bytes for each packet of the flow window that the peer announces in its handshake.
  private static let handshakes = DatagramFilter(of: 0x8000_0000, over: maxWindow, at: 32)
  /// 170 MB in flight, for 3 MB of memory, which the allocator may keep once for each of its arenas.
  private static let maxWindow: UInt32 = 1 << 17

  /// Gives the library a socket on which no handshake with a larger window arrives.
  private func bind(toReach peer: SocketAddress) throws(SRTError) {
    let socket: FileDescriptor
    do { socket = try Self.handshakes.makeSocket(toReach: peer) } catch {
      throw SRTError(operation: error.operation, code: SRT_ERESOURCE.rawValue, reason: error.reason)
    }
    try check(srt_bind_acquire(raw, socket.raw), "srt_bind_acquire")
    _ = socket.release()
  }

  func send(_ payload: borrowing Span<UInt8>) throws(SRTError) -> Bool {
    let status = payload.withUnsafeBytes { bytes in
      srt_sendmsg2(raw, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count), nil)
    }
    if status >= 0 { return true }
    let error = SRTError.last("srt_sendmsg2")
    guard error.isTemporary else { throw error }
    return false
  }

  var isConnected: Bool { srt_getsockstate(raw) == SRTS_CONNECTED }

  func statistics() throws(SRTError) -> SRTStatistics {
    var raw = SRT_TRACEBSTATS()
    try check(srt_bistats(self.raw, &raw, 0, 1), "srt_bistats")
    return SRTStatistics(raw)
  }
}

// MARK: - Options

extension SRTSocket {
  private static func configure(
    _ raw: SRTSOCKET, _ url: SRTURL, bitrate: Int, connectWithin limit: MediaTime
  ) throws(SRTError) {
    try set(raw, SRTO_SNDSYN, Int32(0), "SRTO_SNDSYN")
    try set(raw, SRTO_RCVSYN, Int32(0), "SRTO_RCVSYN")
    try set(raw, SRTO_PAYLOADSIZE, Int32(payloadSize), "SRTO_PAYLOADSIZE")
    try set(raw, SRTO_LATENCY, milliseconds(url.latency), "SRTO_LATENCY")
    try set(raw, SRTO_PEERIDLETIMEO, milliseconds(url.peerIdleTimeout), "SRTO_PEERIDLETIMEO")
    // Our own deadline expires first.
    try set(raw, SRTO_CONNTIMEO, milliseconds(limit) &+ 1000, "SRTO_CONNTIMEO")
    try set(raw, SRTO_SNDBUF, sendBuffer(bitrate: bitrate, latency: url.latency), "SRTO_SNDBUF")
    // The library must not drop packets: our queue drops whole GOPs and reports them.
    try set(raw, SRTO_SNDDROPDELAY, Int32(-1), "SRTO_SNDDROPDELAY")
    try set(raw, SRTO_MAXBW, Int64(url.maxBytesPerSecond ?? -1), "SRTO_MAXBW")
    if let name = url.streamID { try set(raw, SRTO_STREAMID, name, "SRTO_STREAMID") }
    if let secret = url.secret {
      if let length = secret.keyLength { try set(raw, SRTO_PBKEYLEN, Int32(length), "SRTO_PBKEYLEN") }
      try set(raw, SRTO_PASSPHRASE, secret.passphrase, "SRTO_PASSPHRASE")
    }
  }

  private static let defaultBitrate = 8_000_000
  private static let minPackets = 256
  /// The library's limit of packets in flight.
  private static let maxPackets = 25_000

  /// Room for one second beyond the latency: packets in our own queue can still be dropped.
  private static func sendBuffer(bitrate: Int, latency: MediaTime) -> Int32 {
    let bits = Double(bitrate > 0 ? bitrate : defaultBitrate) * (1 + latency.seconds)
    let packets = min(max(Int(bits / 8) / payloadSize, minPackets), maxPackets)
    // The library counts a network packet without its UDP header.
    return Int32(packets * (1500 - 28))
  }

  private static func milliseconds(_ time: MediaTime) -> Int32 {
    Int32(clamping: time.nanoseconds / 1_000_000)
  }

  /// The library requires `int` for most options and `int64_t` for some.
  private static func set(
    _ raw: SRTSOCKET, _ option: SRT_SOCKOPT, _ value: some FixedWidthInteger & BitwiseCopyable, _ name: String
  ) throws(SRTError) {
    let status = withUnsafeBytes(of: value) { srt_setsockflag(raw, option, $0.baseAddress, Int32($0.count)) }
    try check(status, name)
  }

  private static func set(
    _ raw: SRTSOCKET, _ option: SRT_SOCKOPT, _ text: String, _ name: String
  ) throws(SRTError) {
    try check(srt_setsockflag(raw, option, text, Int32(text.utf8.count)), name)
  }
}
