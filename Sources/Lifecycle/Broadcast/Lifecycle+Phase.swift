internal import HoldfastMediaModel

extension Lifecycle {
  /// Where the process stands. Numbers are those that are awaited.
  enum Phase: Hashable {
    case idle
    case previewing
    /// As soon as devices are open and the last broadcast is closed, a new one begins.
    case starting
    case connecting(Int)
    case asking(Int)
    case live
    case pausing(Interruption, Int)
    case paused(Interruption)
    /// Nothing stands in the way of a return but the gate, which has been asked.
    case askingAgain(Interruption, Int)
    /// Interrupted before anything went out: a return starts afresh.
    case held(Interruption)
    case backgrounded(Return)
    case ending(EndReason)
    case ended(EndReason)
  }

  struct Interruption: Hashable {
    var cause: Cause
    let resumableUntil: MonotonicTime
    let window: Int
  }

  /// What a return from the background leads to.
  enum Return: Hashable {
    case preview, broadcast
  }

  enum Devices: Hashable {
    case closed
    case opening(Int)
    case open
    /// They could not be opened; the timer says when to try again.
    case waiting(Int)
  }
}

extension Lifecycle.Phase {
  var interruption: Lifecycle.Interruption? {
    get {
      switch self {
      case .pausing(let interruption, _), .paused(let interruption), .askingAgain(let interruption, _),
        .held(let interruption):
        interruption
      case .idle, .previewing, .starting, .connecting, .asking, .live, .backgrounded, .ending, .ended: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .pausing(_, let number): self = .pausing(newValue, number)
      case .paused: self = .paused(newValue)
      case .askingAgain(_, let number): self = .askingAgain(newValue, number)
      case .held: self = .held(newValue)
      case .idle, .previewing, .starting, .connecting, .asking, .live, .backgrounded, .ending, .ended: break
      }
    }
  }

  var needsDevices: Bool {
    switch self {
    case .previewing, .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held: true
    case .idle, .backgrounded, .ending, .ended: false
    }
  }
}
