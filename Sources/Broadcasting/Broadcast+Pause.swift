internal import Lifecycle
internal import MediaModel
internal import Platform
internal import Publishing
internal import Recording

/// Interruptions: media time stands still, and goes on where it stood.
extension Broadcast {
  func beginPause(_ stage: inout Stage, _ parts: BroadcastParts) {
    guard stage.isOnAir else { return reach(.paused) }
    if let pause = stage.pause { return goOnPausing(pause, &stage, parts) }
    parts.timeLine.pause(at: .now)
    stage.pause = Pause(
      stage.running, at: .now, wall: WallTime(nanoseconds: wallClockNanoseconds()))
  }

  /// Another interruption before the return was through: media time has not gone on, and it stays one gap.
  private func goOnPausing(_ pause: Pause, _ stage: inout Stage, _ parts: BroadcastParts) {
    switch pause.step {
    case .holding, .leaving: break
    case .resting: reach(.paused)
    case .returning:
      for output in parts.outputs { output.pause() }
      stage.pause?.leave(stage.outputs.connected, hasRecording: false)
    }
  }

  func beginReturn(_ cause: Gap.Cause, _ stage: inout Stage, _ parts: BroadcastParts) {
    guard stage.pause != nil else { return }
    let outputs = stage.outputs.accepted
    for output in parts.outputs { try? output.resume() }
    stage.pause?.comeBack(outputs, after: cause, at: .now)
  }

  /// Takes the steps that are due.
  func lookAfterPause(_ stage: inout Stage, _ parts: BroadcastParts) {
    guard let pause = stage.pause else { return }
    let isLate = pause.deadline.map { $0 <= .now } ?? false
    switch pause.step {
    case .holding where pause.isHeld || isLate:
      parts.timeLine.pauseWithoutPicture()
      for output in parts.outputs { output.pause() }
      parts.recorder?.pause()
      let hasRecording = parts.recorder != nil && stage.recordingFailure == nil
      stage.pause?.leave(stage.outputs.connected, hasRecording: hasRecording)
    case .leaving where pause.hasLeft:
      stage.pause?.rest()
      reach(.paused)
    case .returning(let cause) where pause.isBack || isLate: goOn(after: pause, cause, &stage, parts)
    case .holding, .leaving, .resting, .returning: break
    }
  }

  private func goOn(after pause: Pause, _ cause: Gap.Cause, _ stage: inout Stage, _ parts: BroadcastParts) {
    let length = MonotonicTime.now - pause.since
    let gap = Gap(
      cause, wallFrom: pause.wallSince, wallTo: WallTime(nanoseconds: wallClockNanoseconds()),
      mediaAt: parts.timeLine.mediaEnd, lostVideo: parts.tracks.contains(.video) ? length : .zero,
      lostAudio: parts.tracks.contains(.audio) ? length : .zero)
    parts.wishes.requestKeyframe()
    parts.timeLine.run(from: .now)
    stage.pause = nil
    stage.interruptions.append(gap)
    tell(.gap(gap))
    tell(.resumed(publishType: configuration.publishType == .live ? .live : .append, gap: length))
  }
}
