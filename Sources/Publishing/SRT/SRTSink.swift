import HoldfastCSRT
import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// A publish to an SRT listener: libavformat's transport stream over libsrt.
final class SRTSink: PacketSink {
  private let url: SRTURL
  private var stream: TransportStreamWriter?
  private var socket: SRTSocket?
  private var poll: SRTPoll?
  private var waiting = OutgoingBytes()
  private var progress = SRTProgress(at: .now)
  private var bytesMade: Int64 = 0

  /// A connection that ends after so long a silence was given up by the library, not ended by the server.
  private static let silence = MediaTime.seconds(2)
  private static let drainInterval = MediaTime.milliseconds(10)
  /// How far the receiver's clock for passing on may lag behind ours, beside the way.
  private static let clockLag = MediaTime.milliseconds(200)

  init(_ url: SRTURL) {
    self.url = url
  }

  var backlog: Int { waiting.count }

  var statistics: SRTStatistics { progress.statistics }

  var health: SinkHealth {
    SinkHealth(
      lastProgress: progress.last, confirmedUntil: progress.last,
      isWaitingForPeer: statistics.unacknowledgedPackets > 0 || backlog > 0,
      isPeerAnswering: true, unsentBytes: statistics.unacknowledgedBytes, roundTrip: statistics.roundTrip,
      lossRate: progress.lossRate, bytesSent: bytesMade)
  }

  /// The publish type is of no use here: a listener takes a stream or it does not.
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
    do {
      try stream?.write(packet)
    } catch {
      throw SinkError(.system, "\(url.redacted): \(error)")
    }
    let bytes = stream?.takeBytes() ?? []
    bytesMade += Int64(bytes.count)
    waiting.append(contentsOf: bytes)
    try mapErrors { try push(includingRest: false) }
  }

  /// A transport stream has no place for it that players show.
  func send(_ event: CustomEvent) {}

  func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {
    try mapErrors {
      try push(includingRest: true)
      if poll?.descriptor != wakeup.descriptor { poll = try SRTPoll(descriptor: wakeup.descriptor) }
      try wait(until: deadline)
      try push(includingRest: true)
      try readStatistics()
    }
  }

  /// Sends what is left and closes the connection. The listener then drops what it still holds, so it is given time.
  func close(until deadline: MonotonicTime) {
    if deadline > .now, (try? drain(until: deadline)) != nil {
      let passedOn = min(deadline, .now + statistics.latency + statistics.roundTrip + Self.clockLag)
      while .now < passedOn, (try? wait(until: passedOn)) != nil, isConnected {}
    }
    poll = nil
    socket = nil
  }

  /// Until everything is acknowledged. A receiver misses a packet only when a later one comes, so fillers follow the last.
  private func drain(until deadline: MonotonicTime) throws {
    poll = try SRTPoll(descriptor: nil)
    let filler = TransportStreamWriter.filler
    var fillers = 0
    repeat {
      try push(includingRest: true)
      try wait(until: min(deadline, .now + Self.drainInterval))
      try readStatistics()
      if backlog == 0, try send(filler.span) { fillers += 1 }
    } while .now < deadline && (backlog > 0 || statistics.unacknowledgedPackets > fillers)
  }
}

// MARK: - The library

extension SRTSink {
  private var isConnected: Bool { socket?.isConnected ?? false }

  private func push(includingRest: Bool) throws {
    try waiting.drain(payloadSize: SRTSocket.payloadSize, includingRest: includingRest) { try send($0) }
  }

  private func send(_ payload: borrowing Span<UInt8>) throws -> Bool {
    try socket?.send(payload) ?? false
  }

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
    guard silence > Self.silence else { return SinkError(.closed, "the server ended the connection") }
    return SinkError(.noProgress, "no sign of life for \(Int(silence.seconds)) s")
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
  /// Hands over payload after payload, as long as `take` takes them; without `includingRest` only full ones.
  mutating func drain(
    payloadSize: Int, includingRest: Bool, _ take: (borrowing Span<UInt8>) throws -> Bool
  ) throws {
    while count >= (includingRest ? 1 : payloadSize) {
      let size = min(count, payloadSize)
      guard try withUnsent({ try take($0.extracting(0..<size)) }) else { return }
      removeFirst(size)
    }
  }
}
