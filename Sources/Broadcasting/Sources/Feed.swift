internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Where a track comes from, for one broadcast after another: carries out what `SourceMachine` decides, with a thread for
/// each source.
///
/// A device is captured from when it is opened until it is closed, whether there is a broadcast or not. When it is lost
/// something stands in for it, and it is looked for until it is back. Any other source begins anew with each broadcast.
/// Another source may take its place at any time: from then on that one is captured like a device.
final class Feed<Taken: ~Copyable & Sendable, Shape: Sendable>: SourceFeed {
  typealias Source = FeedSource<Taken, Shape>
  typealias Origin = FeedOrigin<Taken, Shape>
  typealias Run = FeedRun<Taken, Shape>

  struct Settings: Sendable {
    let track: TrackKind
    /// What goes on air while the device is away; nil where nothing can.
    let standIn: @Sendable (Shape) -> Source?
    /// What is done with all that is given, a stand-in too, before anybody gets it; nil to leave it out.
    var treat: @Sendable (consuming Taken) -> Taken? = { $0 }
    /// When something was captured; nil where that is not known.
    var span: @Sendable (borrowing Taken, Shape) -> Range<MonotonicTime>? = { _, _ in nil }
    let report: @Sendable (FeedEvent) -> Void
  }

  struct State {
    var machine: SourceMachine
    /// What the machine's source is opened from.
    var origin: Origin
    /// A file that was opened beforehand.
    var prepared: Source?
    var shape: Shape?
    /// Their threads are not joined yet.
    var runs: [Int: Run] = [:]
    var lastRun = 0
    var receiver: FeedReceiver<Taken>?
    /// Gets what nobody else does.
    var watcher: FeedReceiver<Taken>?
    var attached = 0
    var lastAttachment = 0
    var lastDetached = 0
    /// Until when there is something.
    var takenUntil: MonotonicTime?

    /// The run of the source that counts.
    var run: Run? { machine.number.flatMap { runs[$0] } }

    mutating func add(_ run: Run, after before: Run?) {
      if let before { runs[before.number] = nil }
      runs[run.number] = run
    }
  }

  let settings: Settings
  let state: Locked<State>

  init(_ settings: Settings, _ origin: Origin) {
    self.settings = settings
    let machine = SourceMachine(settings.track, isDevice: origin.isDevice)
    state = Locked(State(machine: machine, origin: origin))
  }

  var track: TrackKind { settings.track }
  /// What the source gives, or gave when it was last open; nil before it was ever.
  var shape: Shape? { state.withLock { $0.shape } }
  var endsByItself: Bool { state.withLock { $0.origin.endsByItself } }
  var file: FilePlace? { state.withLock { $0.origin.file } }
  var memory: DeviceMemory? { state.withLock { $0.origin.memory } }
  var isExpected: Bool { state.withLock { $0.machine.isExpected } }

  func open() throws(CaptureError) {
    let origin = state.withLock { $0.origin }
    let source = try origin.open()
    state.withLock { $0.shape = source.shape }
    if origin.isDevice { return try start(makeRun(origin, source)) }
    state.withLock {
      $0.prepared = source
      _ = $0.machine.handle(.readied)
    }
  }

  func awaitBeginning() throws(CaptureError) {
    guard let run = state.withLock({ $0.machine.isDevice ? $0.run : nil }) else { return }
    if case .some(.some(let error)) = run.beginning.take() { throw error }
  }

  func openWithout(_ error: CaptureError) throws(CaptureError) {
    try start(makeRun(state.withLock { $0.origin }), missing: error)
  }

  func rewind() {
    state.withLock { $0.prepared = nil }
  }

  func close() {
    let (actions, runs) = state.withLock { state in
      state.receiver = nil
      return (state.machine.handle(.closed), Array(state.runs.values))
    }
    perform(actions)
    for run in runs { run.thread.join() }
    state.withLock {
      $0.prepared = nil
      $0.runs = [:]
      $0.takenUntil = nil
    }
  }

  private func start(_ run: Run, missing error: CaptureError? = nil) throws(CaptureError) {
    let before = state.withLock { state in
      let before = state.run
      _ = state.machine.handle(.opened(run.number))
      state.add(run, after: before)
      return before
    }
    before?.thread.join()
    try startThread(of: run, missing: error)
  }

  func makeRun(_ origin: Origin, _ source: Source? = nil) throws(CaptureError) -> Run {
    let number = state.withLock { state in
      state.lastRun += 1
      return state.lastRun
    }
    do { return try Run(number, origin, source) } catch { throw refusal(error) }
  }

  func startThread(of run: Run, missing error: CaptureError? = nil) throws(CaptureError) {
    do throws(SystemError) {
      try run.thread.start(name: "\(track.rawValue)-source") { [self] in
        capture(run, missing: error)
      }
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ error: SystemError) -> CaptureError {
    refusal("\(error)", hint: "see whether the machine is out of memory or threads")
  }

  func refusal(_ what: String, _ kind: CaptureError.Kind = .unsuitable, hint: String) -> CaptureError {
    CaptureError(kind, track, device: track.rawValue, what: what, hint: hint)
  }

  func handle(_ event: SourceMachine.Event) {
    perform(state.withLock { $0.machine.handle(event) })
  }

  func perform(_ actions: [SourceMachine.Action]) {
    for action in actions {
      switch action {
      case .report(let event): settings.report(event)
      case .answer(let number, let error): _ = run(number)?.beginning.offer(error)
      case .stop(let number): run(number)?.stop.signal()
      case .standIn(let number):
        guard let run = run(number), let source = shape.flatMap(settings.standIn) else { break }
        run.standIn(source) { [self] in deliver($0, of: run, isStandIn: true) }
      case .stopStandIn(let number): run(number)?.stopStandIn()
      case .end(let error): state.withLock { $0.receiver }?.end(error)
      }
    }
  }

  private func run(_ number: Int) -> Run? { state.withLock { $0.runs[number] } }
}

// MARK: - Who gets it

extension Feed where Taken: ~Copyable {
  /// A number to attach a receiver with. A later one takes the feed from an earlier one, never the other way round.
  func nextAttachment() -> Int {
    state.withLock { state in
      state.lastAttachment += 1
      return state.lastAttachment
    }
  }

  /// What comes from now on is for `receiver`, unless its number has been detached already. A file begins.
  func attach(_ receiver: FeedReceiver<Taken>, as number: Int) throws(CaptureError) {
    let (file, before) = state.withLock { $0.machine.isDevice ? (nil, nil) : ($0.origin, $0.run) }
    // It has been told to stop.
    before?.thread.join()
    let run: Run? = if let file { try makeRun(file) } else { nil }
    let begins = state.withLock { state in
      guard number > state.lastDetached else { return false }
      state.receiver = receiver
      state.attached = number
      guard let run else { return false }
      _ = state.machine.handle(.begun(run.number))
      guard state.machine.number == run.number else { return false }
      run.hold(state.prepared.take())
      state.add(run, after: before)
      return true
    }
    if begins, let run { try startThread(of: run) }
  }

  /// Nothing more comes to the receiver, but for what is on its way. A file ends.
  func detach(_ number: Int) {
    perform(
      state.withLock { state in
        state.lastDetached = max(state.lastDetached, number)
        guard state.attached == number else { return [] }
        state.receiver = nil
        return state.machine.handle(.released)
      })
  }

  /// Waits until a file has ended, after `detach`.
  func awaitEnd(of number: Int) {
    let run = state.withLock { $0.attached == number && !$0.machine.isDevice ? $0.run : nil }
    run?.thread.join()
  }

  /// `watcher` gets what comes while there is no receiver.
  func watch(_ watcher: FeedReceiver<Taken>) {
    state.withLock { $0.watcher = watcher }
  }

  /// Hands on what `run` has given, unless another one has taken its place.
  func deliver(_ taken: consuming Taken, of run: Run, isStandIn: Bool = false) {
    let span = shape.flatMap { settings.span(taken, $0) }
    let receiver = state.withLock { state -> FeedReceiver<Taken>? in
      guard state.machine.number == run.number else { return nil }
      state.takenUntil = span?.upperBound
      return state.receiver ?? state.watcher
    }
    guard let receiver, let treated = settings.treat(taken) else { return }
    receiver.take(treated, Provenance(isStandIn: isStandIn, source: run.number))
  }
}
