import HoldfastMediaModel
import HoldfastPlatform

/// A server behind a socket, and its packet queue.
struct SystemOutputEnvironment: OutputEnvironment {
  enum State {
    case idle
    case preparing(Int, OutputAddress, PublishRequest)
    /// Nil without a connection: the publish makes one.
    case prepared(Int, OutputConnection?)
    case connecting(Int, OutputConnection?, OutputAddress, PublishRequest)
    case resuming(Int, OutputConnection)
    case open(Int, OutputConnection)
    case draining(Int, OutputConnection, keepsSession: Bool, until: MonotonicTime)
    case suspended(Int, OutputConnection)
    /// Everything is sent; only the connection is to be closed.
    case closing(Int, OutputConnection, until: MonotonicTime)
  }

  let settings: Output.Settings
  let queue: SendQueue
  let wakeup: Wakeup
  let attemptCancelled: Wakeup
  let figures: Locked<OutputFigures>
  let makeSink: @Sendable (OutputAddress) -> any ServerSink
  let keyframeRequest: (@Sendable () -> Void)?
  let reportEvent: @Sendable (Output.Event) -> Void
  var state = State.idle
  /// Left without an answer to everything sent; kept until the next publish, so that the server can still say what it
  /// has received.
  var former: OutputConnection?
  var outcome: OutputMachine.Event?
  /// A stalled server is handed nothing more.
  var isHeld = false
  var keyframes = KeyframePace()
  /// Those of the current connection.
  var tracks: [Track] = []
  /// The connection goes on with `tracks` once it has sent what came before them.
  var isChanging = false

  /// Maximum interval between two exchanges with the server.
  private static let serviceInterval = MediaTime.milliseconds(100)
  private static let keepAliveInterval = MediaTime.seconds(1)
  /// A newer keyframe makes another one unnecessary.
  private static let maxKeyframeAge = MediaTime.milliseconds(250)
  /// How long a publish waits for the former connection's end while its server still answers.
  private static let maxFarewell = MediaTime.seconds(1)

  mutating func prepare(_ number: Int, to address: OutputAddress, _ request: PublishRequest) {
    // `stop` posts its event before it signals `attemptCancelled`, so clearing the signal loses nothing.
    attemptCancelled.clear()
    state = .preparing(number, address, request)
  }

  mutating func connect(_ number: Int, to address: OutputAddress, _ request: PublishRequest) {
    attemptCancelled.clear()
    tracks = request.tracks
    var prepared: OutputConnection?
    if case .prepared(number, let connection) = state { prepared = connection }
    state = .connecting(number, prepared, address, request)
  }

  mutating func resume(_ number: Int) {
    if case .suspended(number, let connection) = state { state = .resuming(number, connection) }
  }

  mutating func begin(isFresh: Bool) {
    (isHeld, isChanging) = (false, false)
    let isFresh = isFresh && keyframeRequest != nil && keyframes.mayRequest(at: .now)
    if queue.begin(isFresh: isFresh, maxAge: Self.maxKeyframeAge, tracks: tracks) { requestKeyframe() }
  }

  mutating func change(to tracks: [Track]) { (self.tracks, isChanging) = (tracks, true) }

  mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

  func send(_ event: CustomEvent) {
    if case .open(_, let connection) = state { try? connection.sink.send(event) }
  }

  mutating func close(_ number: Int, keepsSession: Bool, within limit: MediaTime) {
    let deadline = MonotonicTime.now + limit
    switch state {
    case .open(number, let connection):
      queue.beginDraining(keepsWaiting: settings.outage == .catchUp)
      state = .draining(number, connection, keepsSession: keepsSession, until: deadline)
    case .suspended(number, let connection): state = .closing(number, connection, until: deadline)
    case .idle, .preparing, .prepared, .connecting, .resuming, .open, .draining, .suspended, .closing: break
    }
  }

  mutating func drop(_ number: Int, keepsQueue: Bool) {
    queue.end(keepsWaiting: keepsQueue)
    var end = OutputEnd()
    switch state {
    case .open(_, let connection):
      connection.sink.leave()
      end = OutputEnd(lost: lost(leaving: connection), lag: connection.lagAtEnd(inOrder: false))
    case .resuming(_, let connection), .suspended(_, let connection), .draining(_, let connection, _, _),
      .closing(_, let connection, _):
      connection.sink.close(until: .now)
    case .prepared(_, let connection), .connecting(_, let connection, _, _):
      connection?.sink.close(until: .now)
    case .idle, .preparing: break
    }
    outcome = disconnected(number, end)
    state = .idle
  }

  mutating func requestKeyframe() {
    if keyframes.request(at: .now) { keyframeRequest?() }
  }

  func report(_ event: Output.Event) { reportEvent(event) }
  func show(_ figures: OutputFigures) { self.figures.withLock { $0 = figures } }

  mutating func wait(for inbox: Inbox<OutputMachine.Event>, until deadline: MonotonicTime?) -> OutputMachine
    .Event?
  {
    if let event = inbox.take(until: .now) { return event }
    if let outcome = outcome.take() { return outcome }
    if let due = keyframes.due, due <= .now { queue.hasKeyframe ? keyframes.cancel() : requestKeyframe() }
    let deadline = [deadline, keyframes.due].compactMap(\.self).min()
    switch state {
    case .idle: return inbox.take(until: deadline)
    case .preparing(let number, let address, let request): return prepare(number, address, request)
    case .prepared(_, nil): return inbox.take(until: deadline)
    case .prepared(let number, let connection?):
      if !exchange(with: connection, until: deadline) { state = .prepared(number, nil) }
      return nil
    case .connecting(let number, let connection, let address, let request):
      return connect(number, connection, address, request)
    case .resuming(let number, let connection): return resume(number, connection)
    case .open(let number, let connection): return serve(number, connection, until: deadline)
    case .draining(let number, let connection, let keepsSession, let limit):
      return drain(number, connection, keepsSession, until: limit)
    case .suspended(let number, let connection):
      if exchange(with: connection, until: deadline) { return nil }
      state = .idle
      return .disconnected(number, OutputEnd())
    case .closing(let number, let connection, let limit):
      connection.sink.close(until: limit)
      queue.end(keepsWaiting: false)
      state = .idle
      return disconnected(number)
    }
  }

  private func disconnected(_ number: Int, _ end: OutputEnd = OutputEnd()) -> OutputMachine.Event {
    former?.sink.listen(until: .now)
    var end = end
    end.lost.add(queue.takeLoss())
    end.unsettled = former?.unconfirmed ?? OutputLoss()
    return .disconnected(number, end)
  }

  /// The losses of a connection that was left. What was sent may still be confirmed while the connection is open.
  private mutating func lost(leaving connection: OutputConnection) -> OutputLoss {
    var lost = connection.takeTooEarly()
    if connection.sink.isOpen { former = connection } else { lost.add(connection.unconfirmed) }
    return lost
  }
}

// MARK: - What blocks

extension SystemOutputEnvironment {
  private mutating func prepare(
    _ number: Int, _ address: OutputAddress, _ request: PublishRequest
  ) -> OutputMachine.Event {
    do throws(SinkError) {
      let connection = OutputConnection(makeSink(address))
      let isConnected = try connection.sink.prepare(
        request, until: .now + settings.connectTimeout, stop: attemptCancelled)
      state = .prepared(number, isConnected ? connection : nil)
      return .prepared(number)
    } catch {
      state = .idle
      return .failed(number, error)
    }
  }

  private mutating func connect(
    _ number: Int, _ prepared: OutputConnection?, _ address: OutputAddress, _ request: PublishRequest
  ) -> OutputMachine.Event {
    do throws(SinkError) {
      let connection = prepared ?? OutputConnection(makeSink(address))
      let deadline = MonotonicTime.now + settings.connectTimeout
      if let former {
        // Answered by the server's process, which has then read what came before.
        if prepared == nil {
          _ = try connection.sink.prepare(request, until: deadline, stop: attemptCancelled)
        }
        former.sink.listen(until: min(deadline, .now + Self.maxFarewell))
        former.sink.close(until: .now)
      }
      try connection.sink.open(request, until: deadline, stop: attemptCancelled)
      state = .open(number, connection)
      return .connected(number, lost: former.take()?.unconfirmed ?? OutputLoss())
    } catch {
      state = .idle
      return .failed(number, error)
    }
  }

  private mutating func resume(_ number: Int, _ connection: OutputConnection) -> OutputMachine.Event {
    do throws(SinkError) {
      try connection.resume(until: .now + settings.connectTimeout)
      state = .open(number, connection)
      return .connected(number)
    } catch {
      state = .suspended(number, connection)
      return .failed(number, error)
    }
  }

  private mutating func serve(
    _ number: Int, _ connection: OutputConnection, until deadline: MonotonicTime?
  ) -> OutputMachine.Event {
    do throws(SinkError) {
      let hadSentMedia = connection.hasSentMedia
      if !isHeld { try send(on: connection) }
      if connection.hasSentMedia, !hadSentMedia {
        keyframes.cancel()
        return .mediaSent(number, lost: queue.takeLoss())
      }
      let serviceDeadline = MonotonicTime.now + Self.serviceInterval
      try connection.sink.exchange(
        until: deadline.map { min($0, serviceDeadline) } ?? serviceDeadline, wakeup: wakeup)
      wakeup.clear()
      var reading = connection.read(queue, at: .now)
      reading.lost.add(queue.takeLoss())
      return .exchanged(number, reading)
    } catch {
      return .failed(number, error)
    }
  }

  private mutating func send(on connection: OutputConnection) throws(SinkError) {
    if isChanging {
      try connection.sendDraining(of: queue)
      guard !queue.isDraining else { return }
      isChanging = false
      for track in tracks { connection.sink.change(to: track) }
      _ = queue.begin(isFresh: false, maxAge: .zero, tracks: tracks)
    }
    try connection.send(from: queue)
  }

  /// Keeps an idle connection; false if it is lost, and closed.
  private func exchange(with connection: OutputConnection, until deadline: MonotonicTime?) -> Bool {
    do throws(SinkError) {
      let keepAliveDeadline = MonotonicTime.now + Self.keepAliveInterval
      try connection.sink.exchange(
        until: deadline.map { min($0, keepAliveDeadline) } ?? keepAliveDeadline, wakeup: wakeup)
      wakeup.clear()
      return true
    } catch {
      connection.sink.close(until: .now)
      return false
    }
  }

  /// Sends step by step what was queued when the end began, then suspends or closes the connection.
  private mutating func drain(
    _ number: Int, _ connection: OutputConnection, _ keepsSession: Bool, until deadline: MonotonicTime
  ) -> OutputMachine.Event? {
    if queue.isDraining || connection.sink.backlog > 0, .now < deadline {
      do throws(SinkError) {
        try connection.sendDraining(of: queue)
        wakeup.clear()
        try connection.sink.exchange(until: .now, wakeup: wakeup)
        if connection.sink.backlog > 0 {
          try connection.sink.exchange(until: min(deadline, .now + Self.serviceInterval), wakeup: wakeup)
        }
        return nil
      } catch {
        // The failed connection is closed below.
      }
    }
    queue.dropDraining()
    if keepsSession, (try? connection.sink.pause(until: deadline)) == true {
      state = .suspended(number, connection)
      var lost = connection.takeTooEarly()
      if connection.sink.backlog > 0 { lost.add(connection.unconfirmed) }
      lost.add(queue.takeLoss())
      return .suspended(number, OutputEnd(lost: lost, isOrderly: connection.hasSentMedia))
    }
    let isDelivered = connection.sink.close(until: deadline + Self.serviceInterval)
    state = .idle
    let lost = isDelivered ? connection.takeTooEarly() : lost(leaving: connection)
    return disconnected(
      number,
      OutputEnd(
        lost: lost, lag: connection.lagAtEnd(inOrder: isDelivered),
        isOrderly: isDelivered && connection.hasSentMedia))
  }
}
