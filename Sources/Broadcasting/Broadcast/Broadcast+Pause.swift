internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastPublishing
internal import HoldfastRecording

/// Interruptions: media time stands still, and goes on where it stood.
extension Broadcast {
  func beginPause(_ stage: inout Stage, _ parts: BroadcastParts) {
    switch stage.pause?.step {
    case .returning: return leaveAgain(&stage, parts)
    case .beginning(let cause):
      if parts.timeLine.takeBack() { return leaveAgain(&stage, parts) }
      goOn(after: cause, &stage, parts)
    case .holding, .leaving: return
    case .resting: return answer(.paused)
    case nil: break
    }
    guard stage.isOnAir else { return answer(.paused) }
    parts.timeLine.pause(at: .now)
    stage.pause = Pause(
      stage.running, at: .now, wall: WallTime.now)
  }

  /// Another interruption before the return was through: media time has not gone on, and it stays one gap.
  private func leaveAgain(_ stage: inout Stage, _ parts: BroadcastParts) {
    for output in parts.outputs { output.pause() }
    stage.pause?.leave(stage.outputs.connected, hasRecording: false)
  }

  func beginReturn(_ cause: Gap.Cause, _ stage: inout Stage, _ parts: BroadcastParts) {
    guard stage.pause != nil else { return }
    let outputs = stage.outputs.accepted
    for output in parts.outputs { output.resume() }
    stage.pause?.comeBack(outputs, after: cause, at: .now)
  }

  /// Takes the steps that are due.
  func lookAfterPause(_ stage: inout Stage, _ parts: BroadcastParts) {
    guard let pause = stage.pause else { return }
    let isLate = pause.deadline.map { $0 <= .now } ?? false
    switch pause.step {
    case .holding where pause.isHeld || isLate:
      // On a busy machine what was captured before may still be on its way: it is waited for.
      if !pause.isHeld, parts.lanes.contains(where: \.isBehind), stage.pause?.holdOn(.now) ?? false { break }
      parts.timeLine.pauseWithoutPicture()
      for output in parts.outputs { output.pause() }
      parts.recorder?.pause()
      let hasRecording = parts.recorder != nil && stage.recordingFailure == nil
      stage.pause?.leave(stage.outputs.connected, hasRecording: hasRecording)
    case .leaving where pause.hasLeft:
      stage.pause?.rest()
      answer(.paused)
    case .returning(let cause) where pause.isBack || isLate:
      parts.wishes.requestKeyframe()
      parts.timeLine.run(from: .now)
      stage.pause?.begin(after: cause)
    case .beginning(let cause) where parts.timeLine.runningSince != nil:
      goOn(after: cause, &stage, parts)
    case .holding, .leaving, .resting, .returning, .beginning: break
    }
  }

  /// Media time runs: what that has cost is known to the picture.
  private func goOn(after cause: Gap.Cause, _ stage: inout Stage, _ parts: BroadcastParts) {
    guard let pause = stage.pause else { return }
    let line = parts.timeLine
    let length = (line.runningSince ?? .now) - (line.lastStandstill ?? pause.since)
    func lost(_ kind: TrackKind) -> MediaTime {
      parts.tracks.contains(kind) ? length + (pause.resumed?.lacking[kind] ?? .zero) : .zero
    }
    let mediaAt = pause.resumed?.mediaEnd ?? line.mediaTime(at: line.runningSince ?? .now)
    let gap = Gap(
      pause.resumed?.cause ?? cause, wallFrom: pause.wallSince,
      wallTo: WallTime.now, mediaAt: mediaAt, lostVideo: lost(.video),
      lostAudio: lost(.audio))
    stage.pause = nil
    stage.interruptions.append(gap)
    journal?.resumed(at: mediaAt, since: line.runningSince ?? .now)
    tell(.gap(gap))
    tell(.resumed(publishType: configuration.outputs.publishType == .live ? .live : .append, gap: length))
  }
}
