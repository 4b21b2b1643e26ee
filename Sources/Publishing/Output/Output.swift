package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// One place that a broadcast is published to: the event loop of its driver, and the queue of what is to be sent.
/// No call but `join` blocks.
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
    /// From the host's name to the server's consent.
    package var connectTimeout = MediaTime.seconds(5)
    /// A connection whose server shows no sign of life for this long is lost.
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
    /// What the first attempt has come to.
    case decided(isAccepted: Bool)
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
  private static let maxWaitingEvents = 64
  /// Changes of the network leave this much for a pause and a stop.
  private static let roomForCommands = 64

  /// `requestKeyframe` is nil where the encoder can't make one on request.
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
    // Ends an attempt; an open connection drains first.
    attempt.signal()
  }

  package func join() {
    loop.join()
  }
}

/// What becomes of the media of an outage.
package enum OutagePolicy: String, Hashable, Sendable, CaseIterable {
  /// It is left out.
  case live
  /// It is sent first, faster than it was made.
  case catchUp
}
