import HoldfastCSRT
import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// Publishes to an SRT listener: libavformat's transport stream over libsrt.
final class SRTSink: ServerSink {
  private let url: SRTURL
  private var stream: TransportStreamWriter?
  private var socket: SRTSocket?
  private var poll: SRTPoll?
  private var waiting = OutgoingBytes()
  private var progress = SRTProgress(at: .now)
  private var bytesMuxed: Int64 = 0

  /// After a longer silence, libsrt ended the connection, not the server.
  private static let silenceLimit = MediaTime.seconds(2)
  private static let drainInterval = MediaTime.milliseconds(10)
  /// Acknowledgements come from libsrt, not from the server's program.
  private static let provingTime = MediaTime.seconds(1)
  /// The maximum lag of the receiver's delivery clock.
  private static let clockLag = MediaTime.milliseconds(200)

  init(_ url: SRTURL) { self.url = url }

  var backlog: Int { waiting.count }

  var statistics: SRTStatistics { progress.statistics }

  var health: SinkHealth {
    SinkHealth(
      lastProgress: progress.last, confirmedUntil: progress.last,
      isWaitingForPeer: statistics.unacknowledgedPackets > 0 || backlog > 0,
      isPeerAnswering: true, provingTime: Self.provingTime, unsentBytes: statistics.unacknowledgedBytes,
      roundTrip: statistics.roundTrip,
      lossRate: progress.lossRate, bytesSent: bytesMuxed)
  }

  /// SRT has no publish types.
  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {
    stream = try TransportStreamWriter(request.tracks)
    try mapErrors {
      let addresses = try SocketAddress.all(of: url.host, port: url.port, until: deadline, stop: stop)
      var race = try SRTConnectRace(
        to: addresses, of: url, bitrate: request.tracks.reduce(0) { $0 + $1.bitrate }, until: deadline,
        stop: stop)
      socket = try race.run()
    }
    progress = SRTProgress(at: .now)
  }

  func send(_ packet: MediaPacket) throws(SinkError) {
    do { try stream?.write(packet) } catch { throw SinkError(.system, "\(url.redacted): \(error)") }
    let bytes = stream?.takeBytes() ?? []
    bytesMuxed += Int64(bytes.count)
    waiting.append(contentsOf: bytes)
    try mapErrors { try push(includingPartial: false) }
  }

  func change(to track: Track) { stream?.change(to: track) }

  func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {
    try mapErrors {
      try push(includingPartial: true)
      if poll?.descriptor != wakeup.descriptor { poll = try SRTPoll(descriptor: wakeup.descriptor) }
      try wait(until: deadline)
      try push(includingPartial: true)
      try readStatistics()
    }
  }

  /// Sends the backlog and closes the connection, after the listener has had time to deliver what it buffers.
  @discardableResult
  func close(until deadline: MonotonicTime) -> Bool {
    let isDrained = deadline > .now && (try? drain(until: deadline)) != nil && backlog == 0
    if isDrained {
      let deliveryDeadline = min(deadline, .now + statistics.latency + statistics.roundTrip + Self.clockLag)
      while .now < deliveryDeadline, (try? wait(until: deliveryDeadline)) != nil, isConnected {}
    }
    let hasArrived = isDrained && isConnected && .now < deadline
    poll = nil
    socket = nil
    return hasArrived
  }

  /// Waits until everything is acknowledged. Fillers follow the last packet: only a later one reveals its
  /// loss.
  private func drain(until deadline: MonotonicTime) throws {
    poll = try SRTPoll(descriptor: nil)
    waiting.append(contentsOf: stream?.end() ?? [])
    let filler = TransportStreamWriter.filler
    var fillers = 0
    repeat {
      try push(includingPartial: true)
      try wait(until: min(deadline, .now + Self.drainInterval))
      try readStatistics()
      if backlog == 0, try send(filler.span) { fillers += 1 }
    } while .now < deadline && (backlog > 0 || statistics.unacknowledgedPackets > fillers)
  }
}

// MARK: - The library

extension SRTSink {
  private var isConnected: Bool { socket?.isConnected ?? false }

  private func push(includingPartial: Bool) throws {
    try waiting.drain(payloadSize: SRTSocket.payloadSize, includingPartial: includingPartial) { try send($0) }
  }

  private func send(_ payload: borrowing Span<UInt8>) throws -> Bool { try socket?.send(payload) ?? false }

  private func wait(until deadline: MonotonicTime) throws {
    if let raw = socket?.raw { try poll?.watch(raw, toWrite: backlog > 0) }
    _ = try poll?.wait(until: deadline)
  }

  private func readStatistics() throws {
    guard isConnected else { throw ended }
    if let statistics = try socket?.statistics() { progress.update(statistics, at: .now) }
  }

  private var ended: SinkError {
    let silence = .now - progress.last
    guard silence > Self.silenceLimit else { return SinkError(.closed, "the server ended the connection") }
    return SinkError(.noProgress, "no response for \(Int(silence.seconds.rounded())) s")
  }

  private func mapErrors(_ body: () throws -> Void) throws(SinkError) {
    do {
      try body()
    } catch let error as SRTError where error.isConnectionLost {
      throw ended
    } catch {
      throw SinkError(error, at: url.redacted)
    }
  }
}

extension OutgoingBytes {
  /// Passes payloads to `take` until it refuses one; without `includingPartial` only full ones.
  mutating func drain(
    payloadSize: Int, includingPartial: Bool, _ take: (borrowing Span<UInt8>) throws -> Bool
  ) throws {
    while count >= (includingPartial ? 1 : payloadSize) {
      let size = min(count, payloadSize)
      guard try withUnsent({ try take($0.extracting(0..<size)) }) else { return }
      removeFirst(size)
    }
  }
}
