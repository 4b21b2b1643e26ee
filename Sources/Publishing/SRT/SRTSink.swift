internal import HoldfastCSRT
internal import HoldfastFFmpeg
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// A publish to an SRT listener: libavformat's transport stream over libsrt.
final class SRTSink: PacketSink {
  private let url: SRTURL
  private var stream: TransportStreamWriter?
  private var socket: SRTSocket?
  private var poll: SRTPoll?
  private var waiting = PayloadQueue(size: SRTSocket.payloadSize)
  private var progress = SRTProgress(at: .now)
  private var bytesMade: Int64 = 0

  /// A connection that ends after so long a silence was given up by the library, not ended by the server.
  private static let silence = MediaTime.seconds(2)
  private static let drainBeat = MediaTime.milliseconds(10)
  /// How far the receiver's clock for passing on may lag behind ours, beside the way.
  private static let clockLag = MediaTime.milliseconds(200)

  init(_ url: SRTURL) {
    self.url = url
  }

  var backlog: Int { waiting.count }

  var statistics: SRTStatistics { progress.statistics }

  var health: SinkHealth {
    let statistics = progress.statistics
    return SinkHealth(
      lastProgress: progress.last, isWaitingForPeer: statistics.unacknowledgedPackets > 0 || backlog > 0,
      isPeerAnswering: true, unsentBytes: statistics.unacknowledgedBytes, roundTrip: statistics.roundTrip,
      lossRate: progress.lossRate, bytesSent: bytesMade)
  }

  /// The publish type is of no use here: a listener takes a stream or it does not.
  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {
    stream = try TransportStreamWriter(request.tracks)
    let bitrate = request.tracks.reduce(0) { $0 + $1.bitrate }
    let addresses: [SocketAddress]
    do {
      addresses = try SocketAddress.all(of: url.host, port: url.port, until: deadline, stop: stop)
    } catch {
      throw SinkError(error)
    }
    let outcome = try told { () throws(SRTError) in
      var race = try SRTConnectRace(to: addresses, of: url, bitrate: bitrate, until: deadline, stop: stop)
      return try race.run()
    }
    switch consume outcome {
    case .connected(let socket): self.socket = consume socket
    case .rejected(let rejection): throw rejection.error(at: url.redacted)
    case .failed(let error):
      throw SinkError(.unreachable, "\(url.redacted): no way leads there (\(error.reason))")
    case .noAnswer: throw SRTRejection.noAnswer(at: url.redacted)
    case .stopped: throw SinkError(.stopped, "\(url.redacted): the connection was given up")
    }
    progress = SRTProgress(at: .now)
  }

  func send(_ packet: MediaPacket) throws(SinkError) {
    do {
      try stream?.write(packet)
    } catch {
      throw SinkError(.system, "\(url.redacted): \(error)")
    }
    let bytes = stream?.takeBytes() ?? []
    bytesMade += Int64(bytes.count)
    waiting.append(bytes)
    try push(includingRest: false)
  }

  /// A transport stream has no place for it that players show.
  func send(_ event: CustomEvent) {}

  func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {
    try push(includingRest: true)
    try told { () throws(SRTError) in
      if poll?.descriptor != wakeup.descriptor { poll = try SRTPoll(descriptor: wakeup.descriptor) }
    }
    try wait(until: deadline)
    try push(includingRest: true)
    try look()
  }

  /// Sends what is left and says good-bye. The listener drops what it has not passed on when it hears that, so it is
  /// given the time it holds everything for.
  func close(until deadline: MonotonicTime) {
    if deadline > .now, (try? drain(until: deadline)) != nil {
      let statistics = progress.statistics
      let passedOn = min(deadline, .now + statistics.latency + statistics.roundTrip + Self.clockLag)
      while .now < passedOn, (try? wait(until: passedOn)) != nil, isConnected {}
    }
    poll = nil
    socket = nil
  }

  /// Until everything is acknowledged. The library sends a packet again when the receiver misses it, which it does when
  /// a later one comes: so something has to come behind the last one.
  private func drain(until deadline: MonotonicTime) throws(SinkError) {
    try told { () throws(SRTError) in poll = try SRTPoll(descriptor: nil) }
    var fillers = 0
    repeat {
      try push(includingRest: true)
      try wait(until: min(deadline, .now + Self.drainBeat))
      try look()
      if backlog == 0, try sendFiller() { fillers += 1 }
    } while .now < deadline && (backlog > 0 || progress.statistics.unacknowledgedPackets > fillers)
  }
}

// MARK: - The library

extension SRTSink {
  private var isConnected: Bool { socket?.isConnected ?? false }

  private func push(includingRest: Bool) throws(SinkError) {
    try told { () throws(SRTError) in
      try waiting.drain(includingRest: includingRest) { payload throws(SRTError) in
        try socket?.send(payload) ?? false
      }
    }
  }

  private func sendFiller() throws(SinkError) -> Bool {
    try told { () throws(SRTError) in
      try TransportStreamWriter.nothing.withUnsafeBufferPointer { bytes throws(SRTError) in
        try socket?.send(UnsafeRawBufferPointer(bytes)) ?? false
      }
    }
  }

  private func wait(until deadline: MonotonicTime) throws(SinkError) {
    try told { () throws(SRTError) in
      if let raw = socket?.raw { try poll?.watch(raw, toWrite: backlog > 0) }
      _ = try poll?.wait(until: deadline)
    }
  }

  private func look() throws(SinkError) {
    guard isConnected else { throw ended }
    try told { () throws(SRTError) in
      if let statistics = try socket?.statistics() { progress.look(statistics, at: .now) }
    }
  }

  private var ended: SinkError {
    let silence = .now - progress.last
    guard silence > Self.silence else { return SinkError(.closed, "the server ended the connection") }
    return SinkError(.noProgress, "no sign of life for \(Int(silence.seconds)) s")
  }

  /// Says in an output's words why the library failed.
  private func told<Result: ~Copyable>(_ body: () throws(SRTError) -> Result) throws(SinkError) -> Result {
    do {
      return try body()
    } catch {
      throw error.isConnectionLost ? ended : SinkError(.system, "\(url.redacted): \(error)")
    }
  }
}
