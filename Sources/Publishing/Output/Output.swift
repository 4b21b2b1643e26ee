package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// One place that a broadcast is published to: the event loop of its driver, and the queue of what is to be sent.
///
/// Whatever happens to it, nobody else is held up: packets are offered, commands are left in its inbox.
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
    case bitrateRequested(Int, why: String)
  }

  let settings: Settings
  private let queue: SendQueue
  /// Ends the attempt that is under way.
  private let attempt: Wakeup
  private let figures: Locked<OutputFigures>
  private let loop: EventLoop<OutputMessage>
  private let makeDriver: @Sendable () -> OutputDriver<ServerEnvironment>

  private static let inboxCapacity = 256
  /// Event texts that wait while there is no connection are worth nothing later.
  private static let maxWaitingEvents = 64
  /// One change of the network is like another: there is always room for a pause and a stop.
  private static let roomForCommands = 64

  /// `requestKeyframe` is nil where the encoder does not make a keyframe when it is asked to.
  package init(
    _ settings: Settings, tracks: Set<TrackKind>, requestKeyframe: (@Sendable () -> Void)?,
    report: @escaping @Sendable (Event) -> Void,
    makeSink: (@Sendable (OutputAddress) -> any PacketSink)? = nil
  ) throws(SystemError) {
    self.settings = settings
    let wakeup = try Wakeup()
    let queue = SendQueue(hasVideo: tracks.contains(.video), wakeup: wakeup)
    let (attempt, figures) = (try Wakeup(), Locked(OutputFigures()))
    makeDriver = {
      let environment = ServerEnvironment(
        settings: settings, queue: queue, wakeup: wakeup, attempt: attempt, figures: figures,
        makeSink: makeSink ?? { $0.makeSink(settings) }, askForKeyframe: requestKeyframe, observe: report)
      return OutputDriver(settings, tracks: tracks, environment)
    }
    loop = EventLoop(inbox: Inbox(capacity: Self.inboxCapacity, wakeup: wakeup))
    (self.queue, self.attempt, self.figures) = (queue, attempt, figures)
  }

  package var id: String { settings.id }
  /// The address without its secrets.
  package var url: String { settings.address.redacted }
  /// How it is doing.
  package var status: OutputFigures { figures.withLock { $0 } }

  /// Connects as soon as all tracks are known.
  package func start() throws(SystemError) {
    try loop.start(name: "output-\(settings.id)", makeDriver)
  }

  package func offer(_ track: Track) {
    loop.post(.track(track))
  }

  package func offer(_ packet: MediaPacket) {
    queue.offer(packet)
  }

  /// What could not be reached may be reachable now.
  package func networkChanged() {
    loop.post(.networkChanged, leaving: Self.roomForCommands)
  }

  /// The bitrate has other limits from now on, where it is adapted to this output.
  package func limit(_ bitrates: BitrateController.Limits) {
    loop.post(.limit(bitrates))
  }

  /// Sends an event to the viewers, if there is a connection that can.
  package func send(_ event: CustomEvent) {
    loop.post(.send(event), leaving: Self.inboxCapacity - Self.maxWaitingEvents)
  }

  /// Sends what is in the queue and leaves the server, which is to keep what it has.
  package func pause() {
    loop.post(.pause)
    attempt.signal()
  }

  /// Comes back to the server, to go on where it was.
  package func resume() {
    loop.post(.resume)
  }

  /// Sends what is in the queue, for a limited time, and says good-bye. `join` waits for it.
  package func stop() {
    loop.post(.stop)
    queue.close()
    // An attempt is not waited for; a connection drains first.
    attempt.signal()
  }

  package func join() {
    loop.join()
  }
}

/// What happens after an outage to what was made meanwhile.
package enum OutagePolicy: String, Hashable, Sendable, CaseIterable {
  /// It is left out: the output goes on with what is made now.
  case live
  /// It is sent first, faster than it was made.
  case catchUp
}
