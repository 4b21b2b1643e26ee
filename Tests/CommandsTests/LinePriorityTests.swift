import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcastCommands
@testable import HoldfastBroadcasting

@Suite struct LinePriorityTests {
  @Test(
    arguments: [
      (.error, .recording(path: "x.mp4", state: .failed)), (.error, .disk(.full(free: nil, required: 1))),
      (.error, .disk(.failed(code: 5))), (.error, output(.refused, .failure(.refused))),
      (.error, output(.closed, .gaveUp)), (.error, ended(.failed)), (.error, ended(.gateRefused)),
      (.warning, .disk(.low)), (.warning, .disk(.slow)), (.warning, output(.stalled)),
      (.warning, output(.waiting, .failure(.unreachable))), (.warning, gap(.network)),
      (.warning, .interrupted(cause: .device, resumableUntil: .now)),
      (.warning, .device(track: .video, state: .lost, cause: nil)), (.warning, .gate(.timedOut, reason: nil)),
      (.notice, .live(publishType: .record)), (.notice, .interrupted(cause: .user, resumableUntil: .now)),
      (.notice, gap(.user)), (.notice, output(.publishing)), (.notice, .disk(.writing)),
      (.notice, ended(.stopped)), (.notice, .mute(track: .audio, isMuted: true)),
      (.info, output(.connecting)), (.info, output(.closed)), (.info, .starting),
      (.info, .bitrate(bitsPerSecond: 1, reason: "")), (.info, .recording(path: "x.mp4", state: .open)),
    ] as [(LinePriority, BroadcastEvent)])
  func `what loses media until somebody acts is an error, what may pass a warning`(
    priority: LinePriority, event: BroadcastEvent
  ) {
    #expect(event.priority == priority)
  }

  private static func ended(_ reason: BroadcastEvent.EndReason) -> BroadcastEvent {
    .ended(reason: reason, duration: .zero, gaps: 0)
  }

  private static func output(
    _ state: OutputLifecycle.Condition.State, _ cause: OutputLifecycle.Cause? = nil
  ) -> BroadcastEvent {
    .output(OutputReport(id: "rtmp-1", url: "", condition: .init(state, cause: cause)))
  }

  private static func gap(_ cause: Gap.Cause) -> BroadcastEvent {
    .gap(Gap(cause, wallFrom: .now, wallTo: .now, mediaAt: .zero))
  }
}
