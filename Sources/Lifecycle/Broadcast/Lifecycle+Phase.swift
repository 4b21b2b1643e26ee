import HoldfastMediaModel

extension Lifecycle {
  /// The phase of the process; the numbers are those of pending actions and timers.
  enum Phase: Hashable {
    case idle
    case previewing
    /// A new broadcast begins once the devices are open and the last broadcast is closed.
    case starting
    case connecting(Int)
    case asking(Int)
    case live
    case pausing(Interruption, Int)
    case paused(Interruption)
    /// Ready to resume, except for the gate's answer.
    case askingAgain(Interruption, Int)
    /// Interrupted before going live; a return starts from the beginning.
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

  enum Return: Hashable {
    case preview, broadcast
  }

  enum Devices: Hashable {
    case closed
    case opening(Int)
    case open
    /// Opening failed; the timer triggers the next attempt.
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
