import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform

/// The source of a track across broadcasts: carries out the decisions of `SourceMachine`, with a thread per
/// source. Devices are captured from `open` to `close`, and searched for after a loss, while a stand-in
/// replaces them. Files restart with each broadcast; after a switch, any source is treated like a device.
final class Feed<Item: ~Copyable & Sendable, Properties: Sendable>: SourceFeed {
  typealias Source = FeedSource<Item, Properties>
  typealias Origin = FeedOrigin<Item, Properties>
  typealias Run = SourceThread<Item, Properties>

  struct Settings: Sendable {
    let track: TrackKind
    /// The replacement while the device is lost; nil if there is none.
    let standIn: @Sendable (Properties) -> Source?
    /// Processes each item, including a stand-in's, before delivery; nil drops the item.
    var process: @Sendable (consuming Item) -> Item? = { $0 }
    /// The capture time span of an item; nil if unknown.
    var span: @Sendable (borrowing Item, Properties) -> Range<MonotonicTime>? = { _, _ in nil }
    let report: @Sendable (FeedEvent) -> Void
  }

  struct State {
    var machine: SourceMachine
    /// The origin of the machine's current source.
    var origin: Origin
    /// A file opened before its broadcast.
    var prepared: Source?
    var properties: Properties?
    var runs: [Int: Run] = [:]
    var lastRun = 0
    var receiver: FeedReceiver<Item>?
    /// Receives items while there is no receiver.
    var watcher: FeedReceiver<Item>?
    var attached = 0
    var lastAttachment = 0
    var lastDetached = 0
    /// End time of the last delivered item.
    var deliveredUntil: MonotonicTime?

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
  /// The format of the source, kept after it is closed; nil before it was first open.
  var properties: Properties? { state.withLock { $0.properties } }
  var endsByItself: Bool { state.withLock { $0.origin.endsByItself } }
  var file: ReplacementFile? { state.withLock { $0.origin.file } }
  var device: KnownDevice? { state.withLock { $0.origin.device } }
  var isExpected: Bool { state.withLock { $0.machine.isExpected } }

  func open() throws(CaptureError) {
    let origin = state.withLock { $0.origin }
    let source = try origin.open()
    state.withLock { $0.properties = source.properties }
    if origin.isDevice { return try start(makeRun(origin, source)) }
    state.withLock {
      $0.prepared = source
      _ = $0.machine.handle(.prepared)
    }
  }

  func awaitFirstItem() throws(CaptureError) {
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
      $0.deliveredUntil = nil
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
        guard let run = run(number), let source = properties.flatMap(settings.standIn) else { break }
        run.standIn(source) { [self] in deliver($0, of: run, isStandIn: true) }
      case .stopStandIn(let number): run(number)?.stopStandIn()
      case .end(let error): state.withLock { $0.receiver }?.end(error)
      }
    }
  }

  private func run(_ number: Int) -> Run? { state.withLock { $0.runs[number] } }
}

// MARK: - Receivers

extension Feed where Item: ~Copyable {
  /// A number to attach a receiver with. Later numbers replace earlier ones, never the reverse.
  func nextAttachment() -> Int {
    state.withLock { state in
      state.lastAttachment += 1
      return state.lastAttachment
    }
  }

  /// Delivers new items to `receiver`, unless `number` is already detached. Starts a file.
  func attach(_ receiver: FeedReceiver<Item>, as number: Int) throws(CaptureError) {
    let (file, before) = state.withLock { $0.machine.isDevice ? (nil, nil) : ($0.origin, $0.run) }
    // The previous run has already been stopped.
    before?.thread.join()
    let run: Run? = if let file { try makeRun(file) } else { nil }
    let begins = state.withLock { state in
      guard number > state.lastDetached else { return false }
      state.receiver = receiver
      state.attached = number
      guard let run else { return false }
      _ = state.machine.handle(.started(run.number))
      guard state.machine.number == run.number else { return false }
      run.hold(state.prepared.take())
      state.add(run, after: before)
      return true
    }
    if begins, let run { try startThread(of: run) }
  }

  /// Stops delivery to the receiver, except for items in flight. Stops a file.
  func detach(_ number: Int) {
    perform(
      state.withLock { state in
        state.lastDetached = max(state.lastDetached, number)
        guard state.attached == number else { return [] }
        state.receiver = nil
        return state.machine.handle(.released)
      })
  }

  /// Waits until a file's thread has ended; call it after `detach`.
  func awaitEnd(of number: Int) {
    let run = state.withLock { $0.attached == number && !$0.machine.isDevice ? $0.run : nil }
    run?.thread.join()
  }

  func watch(_ watcher: FeedReceiver<Item>) {
    state.withLock { $0.watcher = watcher }
  }

  /// Delivers an item of `run` if that is still the current run.
  func deliver(_ item: consuming Item, of run: Run, isStandIn: Bool = false) {
    let span = properties.flatMap { settings.span(item, $0) }
    let receiver = state.withLock { state -> FeedReceiver<Item>? in
      guard state.machine.number == run.number else { return nil }
      state.deliveredUntil = span?.upperBound
      return state.receiver ?? state.watcher
    }
    guard let receiver, let processed = settings.process(item) else { return }
    receiver.take(processed, ItemSource(isStandIn: isStandIn, number: run.number))
  }
}
