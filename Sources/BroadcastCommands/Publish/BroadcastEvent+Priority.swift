import HoldfastBroadcasting
import HoldfastCommands
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording

extension BroadcastEvent {
  /// Errors lose media until somebody acts; what recovers by itself, or ends in an error later, is a warning.
  var priority: LinePriority {
    switch self {
    case .recording(_, .failed), .disk(.full), .disk(.failed), .air(.none): .error
    case .air(.some): .warning
    case .air(.all), .air(.off), .ending: .info
    case .ended(.failed, _, _), .ended(.gateRefused, _, _), .ended(.gateTimedOut, _, _): .error
    case .output(let report): report.condition.priority
    case .disk(.low), .disk(.slow), .gate(.refused, _, _), .gate(.timedOut, _, _): .warning
    case .device(_, .lost, _), .device(_, .busy, _): .warning
    // Whoever interrupts knows what is missing.
    case .interrupted(.user, _): .notice
    case .interrupted: .warning
    case .losing, .clock: .warning
    case .membership(let event): event.importance
    case .programme(let event): event.isTrouble ? .warning : .notice
    case .gap(let gap): gap.cause == .user ? .notice : .warning
    case .live, .resumed, .backgrounded, .ended, .disk(.writing), .mute, .source, .track,
      .timer(.alert, _), .timer(.over, _), .timer(.extended, _), .timer(.paused, _):
      .notice
    case .starting, .previewing, .device(_, .open, _), .device(_, .back, _), .bitrate, .recording,
      .gate(.asked, _, _), .gate(.passed, _, _), .timer(.running, _), .timer(.countdown, _):
      .info
    }
  }
}

extension OutputLifecycle.Condition {
  fileprivate var priority: LinePriority {
    switch state {
    case .refused: .error
    case .stalled, .waiting: .warning
    case .closed: cause == nil ? .info : .error
    case .publishing: .notice
    case .connecting: .info
    }
  }
}
