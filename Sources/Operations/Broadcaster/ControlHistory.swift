package import HoldfastBroadcasting
package import HoldfastHTTP
import HoldfastPlatform
import HoldfastRecording

/// Reports kept for later requests: as events and as a summary.
package final class ControlHistory: Sendable {
  struct Summary: Sendable {
    var outputs: [String: OutputReport] = [:]
    var history = BroadcastHistory()
    var recording: String?
    var interruptions = 0
    var gaps = 0
  }

  package let events: EventHistory
  private let state = Locked(Summary())

  package init(_ events: EventHistory) { self.events = events }

  var summary: Summary { state.withLock { $0 } }

  package func observe(_ observation: Broadcast.Observation) {
    guard case .event(let line) = observation else { return }
    state.withLock { summary in
      summary.history.handle(line)
      switch line.event {
      case .output(let report): summary.outputs[report.id] = report
      case .recording(let path, .open): summary.recording = path
      case .starting:
        summary.recording = nil
        summary.outputs = [:]
      case .interrupted: summary.interruptions += 1
      case .gap: summary.gaps += 1
      case .live, .previewing, .resumed, .backgrounded, .ending, .ended, .air, .losing, .clock, .device,
        .track,
        .bitrate, .recording,
        .disk, .timer, .gate, .mute, .source, .membership, .programme:
        break
      }
    }
    events.append(name: line.name, data: line.description)
  }
}
