import HoldfastMediaModel
import HoldfastMediaSources

/// Decides which source of a track is current, when it is lost, and when another one replaces it. Sources are
/// numbered; events of a source that is no longer current do nothing.
struct SourceMachine: Hashable, Sendable {
  enum Current: Hashable, Sendable {
    case ready
    case opening(Int)
    case running(Int)
    /// The source is searched for while a stand-in runs.
    case lost(Int, isBusy: Bool)
    /// The source has ended for this broadcast.
    case ended(Int)
  }

  enum State: Hashable, Sendable {
    case closed
    case open(Current)
    /// The new source becomes current with its first item.
    case switching(Current, to: Int)
  }

  enum Event: Hashable, Sendable {
    /// A file is open and starts with the broadcast.
    case prepared
    /// The broadcast has started, and the file with it.
    case started(Int)
    case opened(Int)
    /// A device that was open before is missing.
    case deviceMissing(Int, CaptureError)
    /// The first item since the source was opened or reopened.
    case delivered(Int, summary: String)
    case couldNotOpen(Int, CaptureError)
    case failed(Int, CaptureError)
    case finished(Int)
    case switchRequested(to: Int)
    case switchAbandoned(CaptureError)
    case released
    case closed
  }

  enum Action: Hashable, Sendable {
    case report(FeedEvent)
    /// Reports the first item, or the error that prevented it, to the waiting caller.
    case answer(Int, CaptureError?)
    case stop(Int)
    case standIn(Int)
    case stopStandIn(Int)
    /// Notifies the broadcast that the source has ended.
    case end(CaptureError?)
  }

  let track: TrackKind
  /// True if the source is captured without a broadcast too; otherwise it restarts with each.
  private(set) var outlivesBroadcasts: Bool
  /// The source is expected before it has ever delivered.
  private let isAwaited: Bool
  /// True once the source has delivered anything.
  private var hasDelivered = false
  private(set) var state = State.closed
  private var lastNumber = 0

  init(_ track: TrackKind, outlivesBroadcasts: Bool, isAwaited: Bool = false) {
    self.track = track
    self.isAwaited = isAwaited
    self.outlivesBroadcasts = outlivesBroadcasts
  }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// True for a device that has delivered before and is expected back, or is awaited. A network source that has
  /// never delivered is not, once its server has said no.
  func isExpected(despite error: CaptureError) -> Bool {
    guard outlivesBroadcasts else { return false }
    if hasDelivered { return true }
    switch error.kind {
    case .notPermitted, .unsuitable: return isAwaited && !error.isRemote
    case .notFound, .busy, .lost: return isAwaited
    }
  }

  var current: Current? {
    switch state {
    case .closed: nil
    case .open(let current), .switching(let current, _): current
    }
  }

  var number: Int? {
    switch current {
    case .opening(let number), .running(let number), .lost(let number, _), .ended(let number): number
    case .ready, nil: nil
    }
  }

  var hasEnded: Bool {
    if case .ended = current { true } else { false }
  }

  func isSwitching(to number: Int) -> Bool {
    if case .switching(_, number) = state { true } else { false }
  }

  func isSearching(for number: Int) -> Bool {
    if case .lost(number, _) = current { true } else { false }
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .prepared: return set(.ready)
    case .started(let number): return outlivesBroadcasts ? [] : set(.opening(number))
    case .opened(let number): return set(.opening(number))
    case .deviceMissing(let number, let error):
      return set(.lost(number, isBusy: false), [.report(.lost(error)), .standIn(number)])
    case .delivered(let number, let summary): return delivered(number, summary)
    case .couldNotOpen(let number, let error):
      guard case .lost(number, let wasBusy) = current else { return fail(number, error) }
      let isBusy = error.kind == .busy
      return set(.lost(number, isBusy: isBusy), isBusy && !wasBusy ? [.report(.busy(error))] : [])
    case .failed(let number, let error): return fail(number, error)
    case .finished(let number):
      guard number == self.number, !outlivesBroadcasts else { return [.answer(number, nil)] }
      return set(.ended(number), [.end(nil)])
    case .switchRequested(let number): return beginSwitch(to: number)
    case .switchAbandoned(let error):
      guard case .switching(let current, let number) = state else { return [] }
      state = .open(current)
      return [.answer(number, error)]
    case .released: return outlivesBroadcasts ? [] : stopped
    case .closed:
      defer { state = .closed }
      guard case .switching(_, let other) = state else { return stopped }
      return stopped + [.stop(other)]
    }
  }

  private mutating func delivered(_ number: Int, _ summary: String) -> [Action] {
    if case .switching(_, number) = state {
      let stopped = stopped
      state = .open(.running(number))
      (outlivesBroadcasts, hasDelivered) = (true, true)
      return stopped + [.report(.changed(track, summary: summary)), .answer(number, nil)]
    }
    switch current {
    case .opening(number):
      hasDelivered = true
      return set(.running(number), [.report(.opened(track, summary: summary)), .answer(number, nil)])
    case .lost(number, _):
      hasDelivered = true
      return set(.running(number), [.stopStandIn(number), .report(.back(track, summary: summary))])
    case .ready, .opening, .running, .lost, .ended, nil: return []
    }
  }

  private mutating func fail(_ number: Int, _ error: CaptureError) -> [Action] {
    if case .switching(let current, number) = state {
      state = .open(current)
      return [.answer(number, error)]
    }
    switch current {
    case .opening(number), .running(number):
      guard outlivesBroadcasts else { return set(.ended(number), [.end(error)]) }
      guard case .running = current else { return [.answer(number, error)] }
      return set(.lost(number, isBusy: false), [.report(.lost(error)), .standIn(number)])
    case .ready, .opening, .running, .lost, .ended, nil: return []
    }
  }

  /// While closed, the switch takes effect at once; the new source counts as never having delivered.
  private mutating func beginSwitch(to number: Int) -> [Action] {
    switch state {
    case .closed: (outlivesBroadcasts, hasDelivered) = (true, false)
    case .open(let current): state = .switching(current, to: number)
    case .switching: break
    }
    return []
  }

  private var stopped: [Action] { number.map { [.stop($0)] } ?? [] }

  private mutating func set(_ current: Current, _ actions: [Action] = []) -> [Action] {
    switch state {
    case .closed, .open: state = .open(current)
    case .switching(_, let other): state = .switching(current, to: other)
    }
    return actions
  }
}
