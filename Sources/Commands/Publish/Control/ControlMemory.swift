import HoldfastBroadcasting
import HoldfastControl
import HoldfastPlatform
import HoldfastRecording

/// Reports kept for later requests: as events and as a summary.
final class ControlMemory: Sendable {
  struct Told: Sendable {
    var outputs: [String: OutputReport] = [:]
    var history = BroadcastHistory()
    var recording: String?
    var interruptions = 0
    var gaps = 0
  }

  let events: EventHistory
  private let state = Locked(Told())

  init(_ events: EventHistory) {
    self.events = events
  }

  var told: Told { state.withLock { $0 } }

  func observe(_ observation: Broadcast.Observation) {
    guard case .event(let line) = observation else { return }
    state.withLock { told in
      told.history.handle(line)
      switch line.event {
      case .output(let report): told.outputs[report.id] = report
      case .recording(let path, .open): told.recording = path
      case .starting:
        told.recording = nil
        told.outputs = [:]
      case .interrupted: told.interruptions += 1
      case .gap: told.gaps += 1
      case .live, .previewing, .resumed, .backgrounded, .ended, .device, .bitrate, .recording, .disk, .timer,
        .gate, .mute, .source:
        break
      }
    }
    events.append(name: line.name, data: line.description)
  }
}
