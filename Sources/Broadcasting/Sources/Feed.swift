internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Where a track comes from, for one broadcast after another.
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
    var origin: Origin
    /// Open, and not being run yet.
    var source: Source?
    var shape: Shape?
    var isOpen = false
    /// The device has given something since it was first opened.
    var hasBegun = false
    var receiver: FeedReceiver<Taken>?
    /// The receiver gets nothing more.
    var hasEnded = false
    /// Counts those who were given it.
    var attachment = 0
    /// Gets what nobody else does.
    var watcher: FeedReceiver<Taken>?
    /// The one whose takings go on.
    var run: Run?
    var runs = 0
    /// One that takes its place with the first that it gives.
    var candidate: Run?
    /// One whose place has been taken.
    var replaced: Run?
    /// Until when there is something.
    var takenUntil: MonotonicTime?
  }

  let settings: Settings
  let state: Locked<State>

  init(_ settings: Settings, _ origin: Origin) {
    self.settings = settings
    state = Locked(State(origin: origin))
  }

  /// What the source gives, or gave when it was last open; nil before it was ever.
  var shape: Shape? { state.withLock { $0.shape } }

  private var isDevice: Bool { state.withLock { $0.origin.isDevice } }
  var endsByItself: Bool { state.withLock { $0.origin.endsByItself } }
  var file: FilePlace? { state.withLock { $0.origin.file } }
  var memory: DeviceMemory? { state.withLock { $0.origin.memory } }
  var isExpected: Bool { state.withLock { $0.origin.isDevice && $0.hasBegun } }

  /// Opens the source. A device runs from here on.
  func open() throws(CaptureError) {
    let source = try state.withLock({ $0.origin }).open()
    state.withLock {
      $0.source = source
      $0.shape = source.shape
      $0.isOpen = true
    }
    if isDevice { try start(isDevice: true) { (feed, run) in feed.capture(for: run) } }
  }

  /// Waits until a device that was opened gives something. Its own limits say when it does not.
  func awaitBeginning() throws(CaptureError) {
    guard isDevice, let run = state.withLock({ $0.run }) else { return }
    if case .failed(let error) = run.beginning.take() { throw error }
  }

  /// Goes on without the device, which was open before, and looks for it.
  func openWithout(_ error: CaptureError) throws(CaptureError) {
    state.withLock { $0.isOpen = true }
    try start(isDevice: true) { (feed, run) in feed.captureAgain(after: error, for: run) }
  }

  /// What has not begun yet is opened anew when it does.
  func rewind() {
    state.withLock { if !$0.origin.isDevice { $0.source = nil } }
  }

  /// Closes the source; what stands in for it ends, too.
  func close() {
    let run = state.withLock { state in
      state.receiver = nil
      return state.run
    }
    run?.stop.signal()
    run?.thread.join()
    state.withLock {
      $0.source = nil
      $0.run = nil
      $0.isOpen = false
      $0.takenUntil = nil
    }
  }

  /// What comes from now on is for `receiver`. A source that is no device begins.
  /// The number is what `detach` asks for.
  @discardableResult
  func attach(_ receiver: FeedReceiver<Taken>) throws(CaptureError) -> Int {
    let (number, isDevice) = state.withLock { state in
      state.receiver = receiver
      state.hasEnded = false
      state.attachment += 1
      return (state.attachment, state.origin.isDevice)
    }
    if !isDevice { try start(isDevice: false) { (feed, run) in feed.play(for: run) } }
    return number
  }

  /// Nothing more comes to the receiver, but for what is on its way. A source that is no device ends.
  func detach(_ number: Int) {
    let run = state.withLock { state -> Run? in
      guard state.attachment == number else { return nil }
      state.receiver = nil
      return state.origin.isDevice ? nil : state.run
    }
    run?.stop.signal()
  }

  /// Waits until a source that is no device has ended, after `detach`.
  func settle(_ number: Int) {
    let run = state.withLock { state in
      state.attachment == number && !state.origin.isDevice ? state.run : nil
    }
    run?.thread.join()
  }

  /// `watcher` gets what comes while there is no receiver.
  func watch(_ watcher: FeedReceiver<Taken>) {
    state.withLock { $0.watcher = watcher }
  }

  /// Does nothing where the source has become one of the other sort meanwhile.
  private func start(
    isDevice: Bool, _ body: @escaping @Sendable (Feed, Run) -> Void
  ) throws(CaptureError) {
    let (origin, before) = state.withLock { ($0.origin, $0.run) }
    guard origin.isDevice == isDevice else { return }
    // It has been told to stop.
    before?.thread.join()
    let run = try newRun(of: origin)
    let isStill = state.withLock { state in
      guard state.origin.isDevice == isDevice else { return false }
      state.run = run
      return true
    }
    if isStill { try start(run) { feed in body(feed, run) } }
  }

  /// A run that has its number, but does not count yet.
  func newRun(of origin: Origin) throws(CaptureError) -> Run {
    let number = state.withLock { state in
      state.runs += 1
      return state.runs
    }
    do { return try Run(number, origin) } catch { throw refusal(error) }
  }

  func start(_ run: Run, _ body: @escaping @Sendable (Feed) -> Void) throws(CaptureError) {
    do {
      try run.thread.start(name: "\(settings.track.rawValue)-source") { [self] in body(self) }
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ error: SystemError) -> CaptureError {
    CaptureError(
      .unsuitable, settings.track, device: settings.track.rawValue, what: "\(error)",
      hint: "see whether the machine is out of memory or threads")
  }

  func takeSource() -> Source? {
    state.withLock { $0.source.take() }
  }

  /// Hands on what `run` has given, unless another one has taken its place.
  func deliver(_ taken: consuming Taken, of run: Run, isStandIn: Bool = false) {
    let shape = state.withLock { $0.shape }
    let span = shape.flatMap { settings.span(taken, $0) }
    let receiver = state.withLock { state -> FeedReceiver<Taken>? in
      guard state.run === run else { return nil }
      state.takenUntil = span?.upperBound
      return state.receiver ?? state.watcher
    }
    guard let receiver, let treated = settings.treat(taken) else { return }
    receiver.take(treated, Provenance(isStandIn: isStandIn, source: run.number))
  }
}
