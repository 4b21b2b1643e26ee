internal import HoldfastFFmpeg
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRTSP

/// How the bytes get from the machine to the network and back.
extension RTSPSink {
  /// A move takes in no more than this many reads, whatever a server sends.
  private static let maxReads = 16
  private static let datagramRetry = MediaTime.milliseconds(2)

  func describe(_ wanted: [Track]) throws(SinkError) -> String {
    do throws(FFmpegError) {
      tracks = try RTPTracks(wanted, name: "holdfast-\(UInt64.random(in: 0 ... .max))")
      return try sessionDescription(of: wanted, title: "Holdfast", host: url.host)
    } catch {
      throw SinkError(packing: error)
    }
  }

  func connect(until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {
    do throws(ConnectionError) {
      let connection = try Connection(
        host: url.host, port: url.port, tls: url.isSecure ? tls : nil, until: deadline, stop: stop)
      connection.setSendBuffer(Self.sendBuffer)
      self.connection = consume connection
    } catch {
      throw sinkError(error)
    }
  }

  func begin(_ description: String, tracks count: Int, isTrial: Bool) throws(SinkError) {
    let transport: RTSPTransport = transport == .udp ? try openDatagrams(count) : .interleaved
    do throws(RTSPError) {
      var settings = RTSPClient.Settings(
        url: url, description: description, transport: transport,
        digests: DigestFunctions(md5: { hexadecimal(md5($0)) }, sha256: { hexadecimal(sha256($0)) }),
        clientNonce: hexadecimal(randomBytes(8)))
      settings.isTrial = isTrial
      client = try RTSPClient(settings)
    } catch {
      throw SinkError(error)
    }
    try speak { client throws(RTSPError) in try client.begin(at: .now) }
  }

  /// Lets the machine say something.
  func speak(_ body: (inout RTSPClient) throws(RTSPError) -> Void) throws(SinkError) {
    guard var taken = client.take() else { throw SinkError(.closed, "there is no connection") }
    defer { client = taken }
    do throws(RTSPError) {
      try body(&taken)
    } catch {
      throw SinkError(error)
    }
  }

  /// Moves bytes both ways until `isDone`; false when the time was over first.
  func run(
    until deadline: MonotonicTime, stop: Wakeup? = nil, _ isDone: () -> Bool
  ) throws(SinkError) -> Bool {
    while true {
      try move()
      if isDone() { return true }
      guard .now < deadline else { return false }
      if try wait(until: deadline, also: stop?.descriptor) { throw SinkError(.stopped, "stopped") }
    }
  }

  func move() throws(SinkError) {
    try flush()
    for _ in 0..<Self.maxReads {
      guard try read() else { break }
    }
    if let tracks { datagrams?.receive { report in tracks.take(report) } }
    try flush()
  }

  /// Gives the network what it takes.
  func flush() throws(SinkError) {
    datagrams?.flush()
    do throws(ConnectionError) {
      while let count = client?.outgoing.count, count > 0 {
        let taken = try client?.outgoing.withUnsent { bytes throws(ConnectionError) in
          try connection?.write(bytes) ?? 0
        }
        guard let taken, taken > 0 else { break }
        client?.outgoing.removeFirst(taken)
        bytesSent += Int64(taken)
      }
    } catch {
      throw sinkError(error)
    }
  }

  /// Takes what has arrived; false when there is nothing more for now.
  private func read() throws(SinkError) -> Bool {
    incoming.removeAll(keepingCapacity: true)
    do throws(ConnectionError) {
      switch try connection?.read(into: &incoming, limit: 65536) {
      case .bytes: break
      case .nothingYet, nil: return false
      case .ended: throw ConnectionError(.closed, "\(url.redacted): the server ended the connection")
      }
    } catch {
      throw sinkError(error)
    }
    var events: [RTSPClient.Event] = []
    do throws(RTSPError) {
      events = try client?.receive(incoming.span, at: .now) ?? []
    } catch {
      throw SinkError(error)
    }
    for event in events { try handle(event) }
    return true
  }

  private func handle(_ event: RTSPClient.Event) throws(SinkError) {
    switch event {
    case .accepted:
      try connectDatagrams()
      hasAccepted = true
      progressed()
    case .paused, .resumed: progressed()
    case .answered(let after):
      isAnswering = true
      answerTime = after
      progressed()
    case .interleaved(_, let bytes):
      for report in ReceptionReport.reports(in: bytes.span) { tracks?.take(report) }
    case .transportRefused(let refusal): try changeTransport(after: refusal)
    case .refused(let refusal), .pauseRefused(let refusal): throw SinkError(refusal, url: url)
    case .redirected(let location):
      throw SinkError(.moved, "the server sends us elsewhere", location: location)
    case .left: break
    case .ended: throw SinkError(.closed, "\(url.redacted): the server has ended the session")
    }
  }

  private func progressed() {
    lastProgress = .now
  }

  private func changeTransport(after refusal: RTSPRefusal) throws(SinkError) {
    // What is encrypted must not go beside the connection in the clear.
    guard !url.isSecure, (transport == .udp) == (datagrams != nil), let count = tracks?.count else {
      throw SinkError(refusal, url: url)
    }
    var other = RTSPTransport.interleaved
    if datagrams == nil { other = try openDatagrams(count) } else { datagrams = nil }
    try speak { client throws(RTSPError) in try client.setUp(over: other, at: .now) }
  }

  private func openDatagrams(_ count: Int) throws(SinkError) -> RTSPTransport {
    do throws(ConnectionError) {
      let opened = try RTPDatagrams(count: count, peer: connection?.peerHost ?? "")
      datagrams = opened
      return .datagrams(ports: opened.ports)
    } catch {
      throw sinkError(error)
    }
  }

  private func connectDatagrams() throws(SinkError) {
    do throws(ConnectionError) {
      // The server's own address, whatever another one it may name.
      try datagrams?.connect(to: connection?.peerHost ?? "", client?.paths ?? [])
    } catch {
      throw sinkError(error)
    }
  }

  func probeIfDue() throws(SinkError) {
    let now = MonotonicTime.now
    guard now >= nextProbe else { return }
    nextProbe = now + Self.probeInterval
    try speak { client throws(RTSPError) in try client.probe(at: now) }
  }

  /// Waits for the network; true when `descriptor` is readable.
  func wait(until deadline: MonotonicTime, also descriptor: Int32?) throws(SinkError) -> Bool {
    do throws(ConnectionError) {
      let others = [descriptor].compactMap { $0 }
      let sockets = datagrams?.descriptors ?? []
      // Datagrams that found no room are tried again soon: they go out, or get lost, within that time.
      let isHurried = datagrams.map { $0.backlog > 0 } ?? false
      let deadline = isHurried ? min(deadline, .now + Self.datagramRetry) : deadline
      let hasBytes = client.map { !$0.outgoing.isEmpty } ?? false
      let readiness = try connection?.wait(toWrite: hasBytes, until: deadline, also: others + sockets) ?? []
      guard readiness.contains(.others), !others.isEmpty else { return false }
      if sockets.isEmpty { return true }
      return try connection?.wait(until: .now, also: others).contains(.others) ?? false
    } catch {
      throw sinkError(error)
    }
  }

  func sinkError(_ error: ConnectionError) -> SinkError {
    let kind: SinkError.Kind =
      switch error.kind {
      case .unresolved: .unresolved
      case .unreachable: .unreachable
      case .timedOut: .timedOut
      case .certificate: .certificate
      case .tls: .violated
      case .closed: hasAccepted ? .closed : .closedBeforeAccepted
      case .stopped: .stopped
      case .system: .system
      }
    return SinkError(kind, "\(error)")
  }
}
