import HoldfastMediaModel
import HoldfastPlatform

/// A server behind a socket, and the queue of what is to be sent to it.
struct ServerEnvironment: OutputEnvironment {
  enum State {
    case idle
    case connecting(Int, OutputAddress, PublishRequest)
    case resuming(Int, OutputConnection)
    case open(Int, OutputConnection)
    case draining(Int, OutputConnection, keepsSession: Bool, until: MonotonicTime)
    case suspended(Int, OutputConnection)
    /// Everything is sent, and the connection is about to be closed.
    case leaving(Int, OutputConnection, until: MonotonicTime)
  }

  let settings: Output.Settings
  let queue: SendQueue
  let wakeup: Wakeup
  /// Ends the attempt that is under way.
  let attempt: Wakeup
  let figures: Locked<OutputFigures>
  let makeSink: @Sendable (OutputAddress) -> any PacketSink
  let askForKeyframe: (@Sendable () -> Void)?
  let observe: @Sendable (Output.Event) -> Void
  var state = State.idle
  var answer: OutputMessage?

  /// An open connection is served this often.
  private static let beat = MediaTime.milliseconds(100)
  private static let sessionBeat = MediaTime.seconds(1)
  /// A keyframe that is no older is as good as a new one.
  private static let freshness = MediaTime.milliseconds(250)

  mutating func connect(_ number: Int, to address: OutputAddress, _ request: PublishRequest) {
    // A stop is posted before `attempt` is signalled, and `wait` reads the inbox before it connects.
    attempt.clear()
    state = .connecting(number, address, request)
  }

  mutating func resume(_ number: Int) {
    if case .suspended(number, let connection) = state { state = .resuming(number, connection) }
  }

  func begin(isFresh: Bool) {
    let isFresh = isFresh && askForKeyframe != nil
    if queue.begin(isFresh: isFresh, freshness: Self.freshness) { requestKeyframe() }
  }

  func send(_ event: CustomEvent) {
    if case .open(_, let connection) = state { try? connection.sink.send(event) }
  }

  mutating func close(_ number: Int, keepsSession: Bool, within limit: MediaTime) {
    let deadline = MonotonicTime.now + limit
    switch state {
    case .open(number, let connection):
      state = .draining(number, connection, keepsSession: keepsSession, until: deadline)
    case .suspended(number, let connection): state = .leaving(number, connection, until: deadline)
    case .idle, .connecting, .resuming, .open, .draining, .suspended, .leaving: break
    }
  }

  mutating func drop(_ number: Int, keepsQueue: Bool) {
    switch state {
    case .open(_, let connection):
      connection.sink.close(until: .now)
      let lost = connection.takeUnconfirmed()
      answer = .disconnected(number, lost: leaveQueue(keepsQueue, lost), lag: connection.lag)
    case .resuming(_, let connection), .suspended(_, let connection), .draining(_, let connection, _, _),
      .leaving(_, let connection, _):
      connection.sink.close(until: .now)
      answer = .disconnected(number, lost: leaveQueue(keepsQueue), lag: .zero)
    case .idle, .connecting: answer = .disconnected(number, lost: leaveQueue(keepsQueue), lag: .zero)
    }
    state = .idle
  }

  func requestKeyframe() { askForKeyframe?() }
  func report(_ event: Output.Event) { observe(event) }
  func publish(_ figures: OutputFigures) { self.figures.withLock { $0 = figures } }

  mutating func wait(for inbox: Inbox<OutputMessage>, until deadline: MonotonicTime?) -> OutputMessage? {
    if let message = inbox.take(until: .now) { return message }
    if let answer = answer.take() { return answer }
    switch state {
    case .idle: return inbox.take(until: deadline)
    case .connecting(let number, let address, let request): return connect(number, address, request)
    case .resuming(let number, let connection): return resume(number, connection)
    case .open(let number, let connection): return serve(number, connection, until: deadline)
    case .draining(let number, let connection, let keepsSession, let limit):
      return drain(number, connection, keepsSession, until: limit)
    case .suspended(let number, let connection): return keepAlive(number, connection, until: deadline)
    case .leaving(let number, let connection, let limit):
      connection.sink.close(until: limit)
      state = .idle
      return .disconnected(number, lost: leaveQueue(), lag: .zero)
    }
  }

  /// The result is all that is lost with the connection.
  private func leaveQueue(_ keepsQueue: Bool = false, _ unconfirmed: OutputLoss = OutputLoss()) -> OutputLoss
  {
    queue.pause(keepsWaiting: keepsQueue)
    var lost = unconfirmed
    lost.add(queue.takeLoss())
    return lost
  }
}

// MARK: - What blocks

extension ServerEnvironment {
  private mutating func connect(
    _ number: Int, _ address: OutputAddress, _ request: PublishRequest
  ) -> OutputMessage {
    do throws(SinkError) {
      let connection = OutputConnection(makeSink(address))
      try connection.open(request, until: .now + settings.connectTimeout, stop: attempt)
      state = .open(number, connection)
      return .connected(number)
    } catch {
      state = .idle
      return .failed(number, error)
    }
  }

  private mutating func resume(_ number: Int, _ connection: OutputConnection) -> OutputMessage {
    do throws(SinkError) {
      try connection.resume(until: .now + settings.connectTimeout)
      state = .open(number, connection)
      return .connected(number)
    } catch {
      state = .suspended(number, connection)
      return .failed(number, error)
    }
  }

  private func serve(
    _ number: Int, _ connection: OutputConnection, until deadline: MonotonicTime?
  ) -> OutputMessage {
    do throws(SinkError) {
      let hadSentMedia = connection.hasSentMedia
      try connection.send(from: queue)
      if connection.hasSentMedia, !hadSentMedia { return .mediaSent(number, lost: queue.takeLoss()) }
      let beat = MonotonicTime.now + Self.beat
      try connection.sink.exchange(until: deadline.map { min($0, beat) } ?? beat, wakeup: wakeup)
      wakeup.clear()
      let queued = queue.duration
      var reading = OutputReading(
        try connection.checkProgress(at: .now, stallTimeout: settings.stallTimeout),
        health: connection.sink.health, queued: queued, sample: connection.sample(queued: queued, at: .now),
        lost: connection.takeTooEarly())
      reading.lost.add(queue.takeLoss())
      return .exchanged(number, reading)
    } catch {
      return .failed(number, error)
    }
  }

  /// Keeps a suspended session alive.
  private mutating func keepAlive(
    _ number: Int, _ connection: OutputConnection, until deadline: MonotonicTime?
  ) -> OutputMessage? {
    do throws(SinkError) {
      let beat = MonotonicTime.now + Self.sessionBeat
      try connection.sink.exchange(until: deadline.map { min($0, beat) } ?? beat, wakeup: wakeup)
      wakeup.clear()
      return nil
    } catch {
      connection.sink.close(until: .now)
      state = .idle
      return .disconnected(number, lost: OutputLoss(), lag: .zero)
    }
  }

  /// Sends what is queued, a step at a time, and says good-bye.
  private mutating func drain(
    _ number: Int, _ connection: OutputConnection, _ keepsSession: Bool, until deadline: MonotonicTime
  ) -> OutputMessage? {
    if !queue.isEmpty || connection.sink.backlog > 0, .now < deadline {
      do throws(SinkError) {
        try connection.send(from: queue)
        wakeup.clear()
        // Where the network takes all of it at once, nothing is left to wait for.
        try connection.sink.exchange(until: .now, wakeup: wakeup)
        if connection.sink.backlog > 0 {
          try connection.sink.exchange(until: min(deadline, .now + Self.beat), wakeup: wakeup)
        }
        return nil
      } catch {
        // The connection is closed in order, as after a drain.
      }
    }
    // What the network has taken counts as delivered.
    var lost = connection.sink.backlog > 0 ? connection.takeUnconfirmed() : OutputLoss()
    if keepsSession, (try? connection.sink.pause(until: deadline)) == true {
      state = .suspended(number, connection)
      return .suspended(number, lost: leaveQueue(false, lost), lag: connection.lag)
    }
    let goodByeDeadline = deadline + Self.beat
    connection.sink.close(until: goodByeDeadline)
    // A server that did not take the good-bye has not taken the last packets either.
    if goodByeDeadline <= .now { lost.add(connection.takeUnconfirmed()) }
    state = .idle
    return .disconnected(number, lost: leaveQueue(false, lost), lag: connection.lag)
  }
}
