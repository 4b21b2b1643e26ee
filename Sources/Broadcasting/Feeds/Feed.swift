internal import Capture
internal import MediaModel
internal import Platform

/// Where a track comes from, for one broadcast after another.
///
/// A device is captured from when it is opened until it is closed, whether there is a broadcast or not. When it is lost
/// something stands in for it, and it is looked for until it is back. Any other source begins anew with each broadcast.
final class Feed<Taken: ~Copyable & Sendable, Shape: Sendable>: SourceFeed {
  typealias Source = FeedSource<Taken, Shape>
  typealias Opening = @Sendable () throws(CaptureError) -> Source

  struct Settings: Sendable {
    let track: TrackKind
    let isDevice: Bool
    /// Opens the source; a device that was open before is found again, wherever it is plugged in now.
    let open: Opening
    /// What goes on air while the device is away; nil where nothing can.
    let standIn: @Sendable (Shape) -> Source?
    let report: @Sendable (FeedEvent) -> Void
  }

  private enum Beginning: Sendable {
    case begun
    case failed(CaptureError)
  }

  private struct State {
    /// Open, and not being run yet.
    var source: Source?
    var shape: Shape?
    /// The device has given something since it was first opened.
    var hasBegun = false
    var receiver: FeedReceiver<Taken>?
    /// Counts those who were given it.
    var attachment = 0
    /// Gets what nobody else does.
    var watcher: FeedReceiver<Taken>?
    var stop: StopSignal?
  }

  private let settings: Settings
  /// What has become of a device that was opened: that it gives something, or why it does not.
  private let beginning = BoundedQueue<Beginning>(capacity: 1)
  private let state = Locked(State())
  private let thread = ThreadSlot()

  /// How often a device that is away is looked for.
  private static var searchInterval: MediaTime { .milliseconds(250) }

  init(_ settings: Settings) {
    self.settings = settings
  }

  /// What the source gives, or gave when it was last open; nil before it was ever.
  var shape: Shape? { state.withLock { $0.shape } }

  var isExpected: Bool { settings.isDevice && state.withLock { $0.hasBegun } }

  /// Opens the source. A device runs from here on.
  func open() throws(CaptureError) {
    hold(try settings.open())
    guard settings.isDevice else { return }
    // An earlier one that nobody waited for.
    _ = beginning.take(until: .now)
    try run { (feed, stop) in feed.capture(until: stop) }
  }

  /// Waits until a device that was opened gives something. Its own limits say when it does not.
  func awaitBeginning() throws(CaptureError) {
    guard settings.isDevice, case .failed(let error) = beginning.take() else { return }
    throw error
  }

  /// Goes on without the device, which was open before, and looks for it.
  func openWithout(_ error: CaptureError) throws(CaptureError) {
    try run { (feed, stop) in feed.captureAgain(after: error, until: stop) }
  }

  /// What has not begun yet is opened anew when it does.
  func rewind() {
    guard !settings.isDevice else { return }
    state.withLock { $0.source = nil }
  }

  /// Closes the source; what stands in for it ends, too.
  func close() {
    let stop = state.withLock { state in
      state.receiver = nil
      return state.stop
    }
    stop?.signal()
    thread.join()
    state.withLock {
      $0.source = nil
      $0.stop = nil
    }
  }

  /// What comes from now on is for `receiver`. A source that is no device begins.
  /// The number is what `detach` asks for.
  @discardableResult
  func attach(_ receiver: FeedReceiver<Taken>) throws(CaptureError) -> Int {
    let number = state.withLock { state in
      state.receiver = receiver
      state.attachment += 1
      return state.attachment
    }
    if !settings.isDevice { try run { (feed, stop) in feed.play(until: stop) } }
    return number
  }

  /// Nothing more comes to the receiver, but for what is on its way. A source that is no device ends.
  func detach(_ number: Int) {
    let stop = state.withLock { state -> StopSignal? in
      guard state.attachment == number else { return nil }
      state.receiver = nil
      return state.stop
    }
    if !settings.isDevice { stop?.signal() }
  }

  /// Waits until a source that is no device has ended, after `detach`.
  func settle(_ number: Int) {
    if !settings.isDevice, state.withLock({ $0.attachment == number }) { thread.join() }
  }

  /// `watcher` gets what comes while there is no receiver.
  func watch(_ watcher: FeedReceiver<Taken>) {
    state.withLock { $0.watcher = watcher }
  }

  private func run(_ body: @escaping @Sendable (Feed, StopSignal) -> Void) throws(CaptureError) {
    do {
      // The one before has been told to stop.
      thread.join()
      let stop = try StopSignal()
      state.withLock { $0.stop = stop }
      try thread.start(name: "\(settings.track.rawValue)-source") { [self] in body(self, stop) }
    } catch {
      throw CaptureError(
        .unsuitable, settings.track, device: settings.track.rawValue, what: "\(error)",
        hint: "see whether the machine is out of memory or threads")
    }
  }

  private func hold(_ source: Source) {
    state.withLock {
      $0.source = source
      $0.shape = source.shape
    }
  }

  private func takeSource() -> Source? {
    state.withLock { $0.source.take() }
  }

  private func deliver(_ taken: consuming Taken, isStandIn: Bool) {
    let receiver = state.withLock { $0.receiver ?? $0.watcher }
    receiver?.take(taken, isStandIn)
  }
}

// MARK: - Anything but a device

extension Feed where Taken: ~Copyable {
  /// Opened when the broadcast was prepared, or else now.
  private func play(until stop: StopSignal) {
    guard let receiver = state.withLock({ $0.receiver }) else { return }
    do throws(CaptureError) {
      let source = if let opened = takeSource() { opened } else { try settings.open() }
      guard receiver.isReady(stop) else { return receiver.end(nil) }
      var isOpen = false
      try source.run(stop) { taken in
        if !isOpen { settings.report(.opened(settings.track, summary: source.summary)) }
        isOpen = true
        receiver.take(taken, false)
      }
      receiver.end(nil)
    } catch {
      receiver.end(error)
    }
  }
}

// MARK: - Devices

extension Feed where Taken: ~Copyable {
  /// How a run of the device came to its end.
  private enum End {
    case stopped
    /// It gave nothing at all.
    case empty(CaptureError)
    /// It is away; something stands in for it, where that can be.
    case lost(Filler<Taken, Shape>?)
  }

  private func capture(until stop: StopSignal) {
    let end = runOnce(stop) {
      state.withLock { $0.hasBegun = true }
      _ = beginning.offer(.begun)
      settings.report(.opened(settings.track, summary: $0))
    }
    switch end {
    case .stopped: _ = beginning.offer(.begun)
    case .empty(let error): _ = beginning.offer(.failed(error))
    case .lost(let filler): captureAgain(filler, until: stop)
    }
  }

  private func captureAgain(after error: CaptureError, until stop: StopSignal) {
    captureAgain(goAway(error), until: stop)
  }

  /// Something stands in for the device until it gives something again; as often as it goes.
  private func captureAgain(_ first: Filler<Taken, Shape>?, until stop: StopSignal) {
    var filler = first
    var isBusy = false
    while !stop.wait(until: .now + Self.searchInterval) {
      do throws(CaptureError) {
        hold(try settings.open())
      } catch {
        if error.kind == .busy, !isBusy { settings.report(.busy(error)) }
        isBusy = error.kind == .busy
        continue
      }
      let end = runOnce(stop) { [filler] summary in
        filler?.stop()
        settings.report(.back(settings.track, summary: summary))
      }
      guard case .lost(let next) = end else { continue }
      filler = next
      isBusy = false
    }
    filler?.stop()
  }

  /// Runs the source that is open, and closes it.
  private func runOnce(_ stop: StopSignal, begun: (String) -> Void) -> End {
    guard let source = takeSource() else { return .stopped }
    var hasBegun = false
    do throws(CaptureError) {
      try source.run(stop) { taken in
        if !hasBegun { begun(source.summary) }
        hasBegun = true
        deliver(taken, isStandIn: false)
      }
      return .stopped
    } catch {
      // Before it is closed, which a frozen driver may hold up.
      return hasBegun ? .lost(goAway(error)) : .empty(error)
    }
  }

  private func goAway(_ error: CaptureError) -> Filler<Taken, Shape>? {
    settings.report(.lost(error))
    let standIn = state.withLock { $0.shape }.flatMap(settings.standIn)
    return standIn.flatMap { try? Filler($0) { [self] in deliver($0, isStandIn: true) } }
  }
}
