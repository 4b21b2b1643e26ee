package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// One destination of a broadcast, with a packet queue and a thread. Only `join` blocks.
package final class Output: PacketReceiver {
  package struct Settings: Hashable, Sendable {
    /// Name in event lines.
    package var id: String
    package var address: OutputAddress
    package var publishType = PublishType.record
    /// Another process has published this broadcast there.
    package var hasPublished = false
    package var outage = OutagePolicy.live
    package var tls = TLSSettings()
    package var rtspTransport = RTSPSink.Transport.tcp
    /// Sends a password unencrypted to a server that asks for it.
    package var insecureAuth = false
    /// Time limit of an attempt, from name resolution to the server's acceptance.
    package var connectTimeout = MediaTime.seconds(5)
    /// A connection without progress for this long is closed.
    package var stallTimeout = MediaTime.seconds(3)
    package var giveUpAfter: MediaTime?
    /// A server's refusal ends the output; otherwise it tries on.
    package var acceptsRefusals = true
    /// Publishes nowhere until it is moved to an address; the one above is only its name.
    package var awaitsAddress = false
    /// Nil if the bitrate is not adapted to this output.
    package var bitrates: BitrateController.Limits?

    package init(id: String, address: OutputAddress) {
      self.id = id
      self.address = address
    }
  }

  package enum Event: Hashable, Sendable {
    case changed(OutputLifecycle.Condition, reason: String?)
    /// The first attempt since the start, the preparation or a pause has succeeded or failed.
    case firstAttemptFinished
    /// The server has accepted the publish.
    case accepted
    case lost(OutputLoss)
    case bitrateRequested(Int, reason: String)
  }

  let settings: Settings
  private let queue: SendQueue
  private let attemptCancelled: Wakeup
  private let figures: Locked<OutputFigures>
  private let loop: EventLoop<OutputMachine.Event>
  private let makeDriver: @Sendable () -> OutputDriver<SystemOutputEnvironment>

  private static let inboxCapacity = 256
  private static let maxWaitingEvents = 64
  /// Inbox slots reserved for commands.
  private static let roomForCommands = 64

  /// `requestKeyframe` is nil if the encoder cannot make keyframes on request.
  package init(
    _ settings: Settings, tracks: Set<TrackKind>, requestKeyframe: (@Sendable () -> Void)?,
    report: @escaping @Sendable (Event) -> Void,
    makeSink: (@Sendable (OutputAddress) -> any ServerSink)? = nil
  ) throws(SystemError) {
    self.settings = settings
    let wakeup = try Wakeup()
    let queue = SendQueue(hasVideo: tracks.contains(.video), wakeup: wakeup)
    let (attemptCancelled, figures) = (try Wakeup(), Locked(OutputFigures()))
    makeDriver = {
      let environment = SystemOutputEnvironment(
        settings: settings, queue: queue, wakeup: wakeup, attemptCancelled: attemptCancelled,
        figures: figures,
        makeSink: makeSink ?? { $0.makeSink(settings) }, keyframeRequest: requestKeyframe, reportEvent: report
      )
      return OutputDriver(settings, tracks: tracks, environment)
    }
    loop = EventLoop(inbox: Inbox(capacity: Self.inboxCapacity, wakeup: wakeup))
    (self.queue, self.attemptCancelled, self.figures) = (queue, attemptCancelled, figures)
  }

  package var id: String { settings.id }
  package var url: String { settings.address.redacted }
  package var status: OutputFigures {
    var figures = figures.withLock { $0 }
    figures.losing?.add(queue.loss)
    figures.undelivered = figures.undelivered ?? queue.oldest
    return figures
  }

  /// Connects once it is to prepare or to publish, and all tracks are known.
  package func start() throws(SystemError) { try loop.start(name: "output-\(settings.id)", makeDriver) }

  package func offer(_ track: Track) {
    queue.offer(track)
    loop.post(.track(track))
  }

  package func offer(_ packet: MediaPacket) { queue.offer(packet) }

  /// Ends the wait for the next attempt.
  package func networkChanged() { loop.post(.networkChanged, leaving: Self.roomForCommands) }

  /// Publishes there from now on, or nowhere. Other arguments of the same address are for the next connection.
  package func move(to address: OutputAddress?) {
    loop.post(.move(to: address), leaving: Self.roomForCommands)
  }

  package func limit(_ bitrates: BitrateController.Limits) { loop.post(.limit(bitrates)) }

  /// Sends an event to the viewers if the connection can carry it.
  package func send(_ event: CustomEvent) {
    loop.post(.send(event), leaving: Self.inboxCapacity - Self.maxWaitingEvents)
  }

  /// Sends the queue and disconnects; the server keeps its session or recording.
  package func pause() {
    loop.post(.pause)
    attemptCancelled.signal()
  }

  /// Connects without publishing.
  package func prepare() { loop.post(.prepare) }

  /// Publishes, or continues the session or recording after a pause.
  package func publish() { loop.post(.publish) }

  /// Sends the queue, within a time limit, and disconnects. `join` waits for that.
  package func stop() {
    loop.post(.stop)
    queue.close()
    attemptCancelled.signal()
  }

  package func join() { loop.join() }
}

/// Treatment of media captured during an outage.
package enum OutagePolicy: String, Hashable, Sendable, CaseIterable {
  /// Dropped.
  case live
  /// Sent after the outage, faster than real time.
  case catchUp
}
