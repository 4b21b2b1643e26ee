package import HoldfastMediaModel
package import HoldfastPlatform

/// Carries out the decisions of a `RecordingMachine`. No action raises an event before all are performed.
package struct RecorderDriver<Environment: RecorderEnvironment & ~Copyable>: Driver, ~Copyable {
  private var machine: RecordingMachine
  private var timers = Timers()
  package var environment: Environment

  package init(_ machine: RecordingMachine, _ environment: consuming Environment) {
    self.machine = machine
    self.environment = environment
  }

  package var isFinished: Bool { machine.isFinished }
  package var takesMedia: Bool { machine.takesMedia }
  package var nextDeadline: MonotonicTime? { machine.isFinished ? nil : timers.next }

  package mutating func handle(_ event: RecordingMachine.Event, at now: Instant) {
    for action in machine.handle(event, at: now.monotonic) {
      switch action {
      case .measure: environment.measure()
      case .open(let opening, let tracks, let origin): environment.open(opening, tracks, origin: origin)
      case .write(let packet, let isLate): environment.write(packet, isLate: isLate)
      case .flush: environment.flush()
      case .close(let path): environment.close(path: path)
      case .synchronize(let number): environment.synchronize(number)
      case .finishPrevious(let number): environment.finishPrevious(number)
      case .journal(let path, let tracks, let origin): environment.journal(path: path, tracks, origin: origin)
      case .lose(let packet, let needsKeyframe): environment.lose(packet, needsKeyframe: needsKeyframe)
      case .publish(let bytes): environment.publish(bytes: bytes)
      case .report(let event): environment.report(event)
      case .setTimer(let timer, let delay): timers.set(timer.rawValue, at: now.monotonic + delay)
      }
    }
  }

  package mutating func fireTimers(at now: Instant) {
    while let timer = timers.takeDue(at: now.monotonic).flatMap(RecordingMachine.Timer.init) {
      handle(.timerFired(timer), at: now)
    }
  }

  package mutating func wait(
    for inbox: Inbox<RecordingMachine.Event>, until deadline: MonotonicTime?
  ) -> RecordingMachine.Event? {
    environment.wait(for: inbox, until: deadline, takesMedia: machine.takesMedia)
  }
}

/// The side effects of a recorder. Results are events that `wait` returns.
package protocol RecorderEnvironment: ~Copyable {
  /// Measures the free space, unless the disk has been unmounted.
  mutating func measure()
  /// Opens a file; a new one is first noted in the journal.
  mutating func open(_ opening: RecordingMachine.Opening, _ tracks: [Track], origin: MediaTime)
  mutating func write(_ packet: MediaPacket, isLate: Bool)
  mutating func flush()
  mutating func close(path: String)
  /// Syncs on another thread.
  mutating func synchronize(_ number: Int)
  /// Finishes the previous file on another thread.
  mutating func finishPrevious(_ number: Int)
  /// Notes in the journal that `origin` on the media timeline is 0 in the file.
  mutating func journal(path: String, _ tracks: [Track], origin: MediaTime)
  /// Counts a packet as lost to a failing disk, and requests a keyframe if `needsKeyframe`.
  mutating func lose(_ packet: MediaPacket, needsKeyframe: Bool)
  mutating func publish(bytes: Int)
  mutating func report(_ event: Recorder.Event)
  /// Blocks until an event arrives; takes packets and requests from the queue only if `takesMedia`.
  mutating func wait(
    for inbox: Inbox<RecordingMachine.Event>, until deadline: MonotonicTime?, takesMedia: Bool
  ) -> RecordingMachine.Event?
}
