package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// One place that a broadcast is published to, with a queue, a thread, a watchdog and a life of its own.
///
/// Whatever happens to it, nobody else is held up: packets are offered, requests are left in its inbox.
package final class Output: PacketReceiver {
  package struct Settings: Hashable, Sendable {
    /// What event lines call it.
    package var id: String
    package var address: OutputAddress
    package var publishType = PublishType.record
    /// Another process has already published this broadcast there.
    package var hasBeenAccepted = false
    package var outage = OutagePolicy.live
    package var tls = TLSSettings()
    /// How media goes to an RTSP server.
    package var rtspTransport = RTSPSink.Transport.tcp
    /// An attempt may take this long, from the host's name to the server's consent.
    package var connectTimeout = MediaTime.seconds(5)
    /// A server that shows no life for this long has lost the connection.
    package var stallTimeout = MediaTime.seconds(3)
    package var giveUpAfter: MediaTime?
    /// Nil where the bitrate is not to be adapted to this output.
    package var bitrates: BitrateController.Limits?

    package init(id: String, address: OutputAddress) {
      self.id = id
      self.address = address
    }
  }

  package enum Event: Hashable, Sendable {
    case changed(OutputLifecycle.Condition, why: String?)
    /// The first attempt has been decided, one way or the other.
    case decided(isAccepted: Bool)
    /// It did not get this.
    case lost(OutputLoss)
    case bitrateWanted(Int, why: String)
  }

  /// What an output needs of the broadcast.
  package struct Surroundings: Sendable {
    package var tracks: Set<TrackKind>
    /// The encoder makes a keyframe when it is asked to.
    package var makesKeyframes: Bool
    package var requestKeyframe: @Sendable () -> Void
    package var report: @Sendable (Event) -> Void

    package init(
      tracks: Set<TrackKind>, makesKeyframes: Bool, requestKeyframe: @escaping @Sendable () -> Void,
      report: @escaping @Sendable (Event) -> Void
    ) {
      self.tracks = tracks
      self.makesKeyframes = makesKeyframes
      self.requestKeyframe = requestKeyframe
      self.report = report
    }
  }

  /// What others want of it, until its thread looks.
  struct Requests: Sendable {
    var isToStop = false
    var isToPause = false
    var hasNetworkChanged = false
    var events: [CustomEvent] = []
    var bitrates: BitrateController.Limits?
  }

  let settings: Settings
  let surroundings: Surroundings
  let queue: SendQueue
  let wakeup: Wakeup
  /// Ends the attempt that is under way.
  let attempt: Locked<StopSignal>
  let requests = Locked(Requests())
  let known = Locked<[Track]>([])
  let makeSink: @Sendable (OutputAddress) -> any PacketSink
  private let figures = Locked(OutputFigures())
  private let thread = ThreadSlot()

  /// Event texts that wait while there is no connection are worth nothing later.
  private static let mostWaitingEvents = 64

  package convenience init(_ settings: Settings, _ surroundings: Surroundings) throws(SystemError) {
    try self.init(settings, surroundings) { $0.makeSink(settings) }
  }

  init(
    _ settings: Settings, _ surroundings: Surroundings,
    makeSink: @escaping @Sendable (OutputAddress) -> any PacketSink
  ) throws(SystemError) {
    self.makeSink = makeSink
    self.settings = settings
    self.surroundings = surroundings
    wakeup = try Wakeup()
    attempt = Locked(try StopSignal())
    queue = SendQueue(hasVideo: surroundings.tracks.contains(.video), wakeup: wakeup)
  }

  package var id: String { settings.id }
  /// The address without its secrets.
  package var url: String { settings.address.redacted }

  /// Connects as soon as all tracks are known.
  package func start() throws(SystemError) {
    try thread.start(name: "output-\(settings.id)") { [self] in
      var run = OutputRun(self)
      run.run()
    }
  }

  package func offer(_ track: Track) {
    known.withLock { known in
      known.removeAll { $0.kind == track.kind }
      known.append(track)
    }
    wakeup.signal()
  }

  package func offer(_ packet: MediaPacket) {
    queue.offer(packet)
  }

  /// What could not be reached may be reachable now.
  package func networkChanged() {
    request { $0.hasNetworkChanged = true }
  }

  /// The bitrate has other limits from now on, where it is adapted to this output.
  package func limit(_ bitrates: BitrateController.Limits) {
    request { $0.bitrates = bitrates }
  }

  /// Sends an event to the viewers, if there is a connection that can.
  package func send(_ event: CustomEvent) {
    request { if $0.events.count < Self.mostWaitingEvents { $0.events.append(event) } }
  }

  /// Sends what is in the queue and leaves the server, which is to keep what it has.
  package func pause() {
    request { $0.isToPause = true }
    attempt.withLock { $0 }.signal()
  }

  /// Comes back to the server, to go on where it was.
  package func resume() throws(SystemError) {
    let fresh = try StopSignal()
    attempt.withLock { $0 = fresh }
    request { $0.isToPause = false }
  }

  /// Sends what is in the queue, until `deadline` at most, and says good-bye. `join` waits for it.
  package func stop() {
    request { $0.isToStop = true }
    queue.close()
    // An attempt is not waited for; a connection drains first.
    attempt.withLock { $0 }.signal()
  }

  package func join() {
    thread.join()
  }

  /// How it is doing.
  package var status: OutputFigures { figures.withLock { $0 } }

  func show(_ change: (inout OutputFigures) -> Void) {
    figures.withLock { change(&$0) }
  }

  private func request(_ change: (inout Requests) -> Void) {
    requests.withLock { change(&$0) }
    wakeup.signal()
  }
}

/// What happens after an outage to what was made meanwhile.
package enum OutagePolicy: String, Hashable, Sendable, CaseIterable {
  /// It is left out: the output goes on with what is made now.
  case live
  /// It is sent first, faster than it was made.
  case catchUp
}
