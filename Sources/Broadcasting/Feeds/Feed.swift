package import HoldfastMediaModel
package import HoldfastMediaSources
import HoldfastPlatform

/// The source of a track across broadcasts: carries out the decisions of `SourceMachine`, with a thread per
/// source. Devices are captured from `open` to `close`, and searched for after a loss, while a stand-in
/// replaces them. Files restart with each broadcast; after a switch, any source is treated like a device.
final class Feed<Item: ~Copyable & Sendable, Properties: Sendable>: SourceFeed {
  typealias Source = FeedSource<Item, Properties>
  typealias Origin = FeedOrigin<Item, Properties>
  typealias Thread = SourceThread<Item, Properties>

  struct Settings: Sendable {
    let track: TrackKind
    /// Those of the stand-in for a source that is waited for before it was ever open; nil if there is none.
    var awaited: Properties?
    /// The replacement while the device is lost; nil if there is none.
    let standIn: @Sendable (Properties) -> Source?
    /// Processes each item, including a stand-in's, before delivery; nil drops the item.
    var process: @Sendable (consuming Item) -> Item? = { $0 }
    /// The capture time span of an item; nil if unknown.
    var span: @Sendable (borrowing Item, Properties) -> Range<MonotonicTime>? = { _, _ in nil }
    var note: @Sendable (String) -> Void = { _ in }
    let report: @Sendable (FeedEvent) -> Void
  }

  /// The machine's current source.
  struct Current {
    var origin: Origin
    /// A file opened before its broadcast.
    var prepared: Source?
    var properties: Properties?
    /// End time of the last delivered item.
    var deliveredUntil: MonotonicTime?
  }

  struct State {
    var machine: SourceMachine
    var current: Current
    /// The current source's thread, and that of the source to switch to.
    var threads: [Int: Thread] = [:]
    var receivers = FeedReceivers<Item>()

    var thread: Thread? { machine.number.flatMap { threads[$0] } }

    mutating func add(_ thread: Thread, replacing old: Thread?) {
      if let old { threads[old.number] = nil }
      threads[thread.number] = thread
    }
  }

  let settings: Settings
  let state: Locked<State>

  init(_ settings: Settings, _ origin: Origin) {
    self.settings = settings
    let properties = origin.isAwaited ? settings.awaited : nil
    let machine = SourceMachine(
      settings.track, outlivesBroadcasts: origin.outlivesBroadcasts, isAwaited: properties != nil)
    state = Locked(State(machine: machine, current: Current(origin: origin, properties: properties)))
  }

  var track: TrackKind { settings.track }
  /// The properties of the source, kept after it is closed; nil before it was first open.
  var properties: Properties? { state.withLock { $0.current.properties } }
  var endsByItself: Bool { state.withLock { $0.current.origin.endsByItself } }
  var file: ReplacementFile? { state.withLock { $0.current.origin.file } }
  var device: KnownDevice? { state.withLock { $0.current.origin.device } }

  func isExpected(despite error: CaptureError) -> Bool {
    state.withLock { $0.machine.isExpected(despite: error) }
  }

  func open() throws(CaptureError) {
    let origin = state.withLock { $0.current.origin }
    try origin.network?.attach(track)
    let source = try origin.open(nil)
    state.withLock { $0.current.properties = source.properties }
    if origin.outlivesBroadcasts { return try start(makeThread(origin, source)) }
    state.withLock {
      $0.current.prepared = source
      _ = $0.machine.handle(.prepared)
    }
  }

  func awaitFirstItem() throws(CaptureError) {
    guard let thread = state.withLock({ $0.machine.outlivesBroadcasts ? $0.thread : nil }) else { return }
    let limit = thread.origin.limits?.firstItem
    switch thread.firstItem.take(until: limit.map { .now + $0 }) {
    case .success: break
    case .failure(let error): throw error
    case nil:
      throw failure(
        "the program's source delivered nothing within \(limit?.wholeSeconds ?? 0) s", .lost,
        hint: "check what its run method is waiting for")
    }
  }

  func openWithout(_ error: CaptureError) throws(CaptureError) {
    try start(makeThread(state.withLock { $0.current.origin }), missing: error)
  }

  func rewind() { state.withLock { $0.current.prepared = nil } }

  func close() {
    let (actions, threads) = state.withLock { state in
      state.receivers.removeLane()
      return (decide(.closed, in: &state), Array(state.threads.values))
    }
    perform(actions)
    for thread in threads { join(thread) }
    for origin in threads.map(\.origin) + [state.withLock { $0.current.origin }] {
      origin.network?.detach(track)
    }
    state.withLock {
      $0.current.prepared = nil
      $0.current.deliveredUntil = nil
      $0.threads = [:]
    }
  }

  private func start(_ thread: Thread, missing error: CaptureError? = nil) throws(CaptureError) {
    let old = state.withLock { state in
      let old = state.thread
      _ = state.machine.handle(.opened(thread.number))
      state.add(thread, replacing: old)
      return old
    }
    if let old {
      old.stop.signal()
      join(old)
    }
    try run(thread, missing: error)
  }

  func makeThread(_ origin: Origin, _ source: Source? = nil) throws(CaptureError) -> Thread {
    let number = state.withLock { $0.machine.nextNumber() }
    do { return try Thread(number, origin, source) } catch { throw failure(error) }
  }

  func run(_ thread: Thread, missing error: CaptureError? = nil) throws(CaptureError) {
    do throws(SystemError) {
      try thread.start(for: track) { [self] in capture(thread, missing: error) }
    } catch {
      throw failure(error)
    }
  }

  /// Waits for a stopped thread to end; one that a supplied source blocks is abandoned.
  func join(_ thread: Thread) {
    guard !thread.join() else { return }
    settings.note(
      "\(track.rawValue): the program's source did not stop when asked to; its thread is abandoned")
  }

  private func failure(_ error: SystemError) -> CaptureError {
    failure("\(error)", hint: "check whether the machine is out of memory or threads")
  }

  func failure(_ what: String, _ kind: CaptureError.Kind = .unsuitable, hint: String) -> CaptureError {
    CaptureError(kind, track, device: track.rawValue, what: what, hint: hint)
  }

  func handle(_ event: SourceMachine.Event) { perform(state.withLock { decide(event, in: &$0) }) }

  /// Reports under the lock, so that reports leave in the order of the decisions; `report` only posts them.
  /// Returns the other actions.
  func decide(_ event: SourceMachine.Event, in state: inout State) -> [SourceMachine.Action] {
    state.machine.handle(event).filter { action in
      guard case .report(let event) = action else { return true }
      settings.report(event)
      return false
    }
  }

  func perform(_ actions: [SourceMachine.Action]) {
    for action in actions {
      switch action {
      case .report: break
      case .answer(let number, let error):
        thread(number)?.firstItem.fulfil(error.map { .failure($0) } ?? .success(()))
      case .stop(let number): thread(number)?.stop.signal()
      case .standIn(let number):
        guard let thread = thread(number), let source = properties.flatMap(settings.standIn) else { break }
        thread.startStandIn(source, for: track) { [self] in deliver($0, of: thread, isStandIn: true) }
      case .stopStandIn(let number): thread(number)?.stopStandIn()
      case .end(let error): state.withLock { $0.receivers.lane }?.end(error)
      }
    }
  }

  private func thread(_ number: Int) -> Thread? { state.withLock { $0.threads[number] } }
}

// MARK: - Receivers

extension Feed where Item: ~Copyable {
  /// A number to attach a receiver with. Later numbers replace earlier ones, never the reverse.
  func nextAttachment() -> Int { state.withLock { $0.receivers.nextNumber() } }

  /// Delivers new items to `receiver`, unless `number` is already detached. Starts a file.
  func attach(_ receiver: FeedReceiver<Item>, as number: Int) throws(CaptureError) {
    let (file, old) = state.withLock {
      $0.machine.outlivesBroadcasts ? (nil, nil) : ($0.current.origin, $0.thread)
    }
    // The previous thread has already been stopped.
    if let old { join(old) }
    let thread: Thread? = if let file { try makeThread(file) } else { nil }
    let isStarted = state.withLock { state in
      guard state.receivers.attach(receiver, as: number), let thread else { return false }
      _ = state.machine.handle(.started(thread.number))
      guard state.machine.number == thread.number else { return false }
      thread.keep(state.current.prepared.take())
      state.add(thread, replacing: old)
      return true
    }
    if isStarted, let thread { try run(thread) }
  }

  /// Stops delivery to the receiver, except for items in flight. Stops a file.
  func detach(_ number: Int) {
    perform(state.withLock { $0.receivers.detach(number) ? decide(.released, in: &$0) : [] })
  }

  /// Waits until a file's thread has ended; call it after `detach`.
  func awaitEnd(of number: Int) {
    let thread = state.withLock {
      $0.receivers.isLast(number) && !$0.machine.outlivesBroadcasts ? $0.thread : nil
    }
    if let thread { join(thread) }
  }

  func watch(_ watcher: FeedReceiver<Item>) { state.withLock { $0.receivers.watcher = watcher } }

  /// Delivers an item of `thread` if that is still the current source's.
  func deliver(_ item: consuming Item, of thread: Thread, isStandIn: Bool = false) {
    let span = properties.flatMap { settings.span(item, $0) }
    let receiver = state.withLock { state -> FeedReceiver<Item>? in
      guard state.machine.number == thread.number else { return nil }
      state.current.deliveredUntil = span?.upperBound
      return state.receivers.lane ?? state.receivers.watcher
    }
    guard let receiver, let processed = settings.process(item) else { return }
    receiver.receive(
      processed,
      ItemSource(isStandIn: isStandIn, outageCause: thread.origin.outageCause, number: thread.number))
  }
}

/// Device events reported by a feed.
package enum FeedEvent: Hashable, Sendable {
  case opened(TrackKind, summary: String)
  /// The device is gone or delivers nothing.
  case lost(CaptureError)
  /// The device is present but used by another program.
  case busy(CaptureError)
  case back(TrackKind, summary: String)
  case changed(TrackKind, summary: String)
  /// The source of one tile of a programme; the track goes on.
  case tile(String, TrackKind, BroadcastEvent.DeviceState, cause: String?)
}
