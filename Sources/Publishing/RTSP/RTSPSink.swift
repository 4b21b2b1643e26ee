internal import HoldfastFFmpeg
internal import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastRTSP

/// Publishes to an RTSP server: RTP within the connection, or in datagrams beside it.
///
/// The server's program is asked for a sign of life all the time; what it answers is the connection's progress.
package final class RTSPSink: PacketSink {
  /// How the media travels; where the server refuses that, the other way is tried.
  package enum Transport: String, Hashable, Sendable, CaseIterable {
    case tcp, udp
  }

  let url: RTSPURL
  let tls: TLSSettings
  let transport: Transport
  var connection: Connection?
  var client: RTSPClient?
  var tracks: RTPTracks?
  var datagrams: RTPDatagrams?
  var hasAccepted = false
  var isAnswering = false
  var lastProgress = MonotonicTime.now
  var nextProbe = MonotonicTime.now
  var answerTime: MediaTime?
  var bytesSent: Int64 = 0
  var incoming: [UInt8] = []

  /// A server that stops is to be noticed within a second.
  static let probeInterval = MediaTime.milliseconds(250)
  /// So much waits in the system at most: what is taken says something of the network.
  static let sendBuffer = 32 << 10

  /// With `tls` where the URL says rtsps: media then always goes within the connection.
  package init(_ url: RTSPURL, tls: TLSSettings = TLSSettings(), transport: Transport = .tcp) {
    self.url = url
    self.tls = tls
    self.transport = url.isSecure ? .tcp : transport
  }

  package func open(
    _ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup
  ) throws(SinkError) {
    guard connection == nil else { return }
    // Many servers look for the picture first.
    let wanted = request.tracks.sorted { $0.kind == .video && $1.kind == .audio }
    let description = try describe(wanted)
    do throws(SinkError) {
      try connect(until: deadline, stop: stop)
      try begin(description, tracks: wanted.count, isTrial: request.isTrial)
      let isDone = try run(until: deadline, stop: stop) {
        (request.isTrial ? client?.isSetUp : client?.isRecording) ?? false
      }
      guard isDone else { throw SinkError(.timedOut, "\(url.redacted): no answer in time") }
    } catch {
      // A session that has come half way must not hold the name.
      close(until: .now)
      throw error
    }
  }

  package func send(_ packet: MediaPacket) throws(SinkError) {
    // Between pause and resume there is nobody to take it.
    guard let tracks, client?.isRecording ?? false else { return }
    do throws(FFmpegError) {
      let wallClock = NTPTime(wallClockNanoseconds: wallClockNanoseconds())
      try tracks.write(packet, at: .now, wallClock: wallClock) { packet, track, isReport in
        if let datagrams {
          bytesSent += Int64(packet.count)
          datagrams.send(packet, track: track, isReport: isReport)
        } else {
          client?.send(packet, track: track, isControl: isReport)
        }
      }
    } catch {
      throw SinkError(packing: error)
    }
    try flush()
  }

  package var backlog: Int { (client?.outgoing.count ?? 0) + (datagrams?.backlog ?? 0) }

  package func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {
    let hadBacklog = backlog > 0
    while true {
      try probeIfDue()
      try move()
      let hasEmptied = hadBacklog && backlog == 0
      guard !hasEmptied, .now < deadline else { return }
      if try wait(until: min(deadline, nextProbe), also: wakeup.descriptor) { return }
    }
  }

  /// RTSP has no way to tell viewers anything.
  package func send(_ event: CustomEvent) throws(SinkError) {}

  package var health: SinkHealth {
    SinkHealth(
      lastProgress: lastProgress, confirmedUntil: lastProgress - (answerTime ?? .zero),
      isWaitingForPeer: client?.isProbing ?? false, isPeerAnswering: isAnswering,
      unsentBytes: connection?.unsentBytes ?? 0, roundTrip: connection?.roundTrip ?? answerTime,
      lossRate: tracks?.lossRate, bytesSent: bytesSent)
  }

  package func close(until deadline: MonotonicTime) {
    guard connection != nil else { return }
    var isSaid = false
    do throws(SinkError) {
      if .now < deadline {
        try speak { client throws(RTSPError) in try client.tearDown(at: .now) }
        isSaid = try run(until: deadline) { client?.isOver ?? true }
      }
    } catch {
      // It is gone already.
    }
    if isSaid { connection?.shutDown() } else { connection?.abort() }
    connection = nil
    client = nil
    datagrams = nil
  }
}
