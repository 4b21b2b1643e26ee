import HoldfastMediaModel
import HoldfastMediaSources

@testable import HoldfastBroadcasting

/// The lanes of a life without capture and encoders: the real timeline and picture machine decide.
struct LifeMedia {
  private let plan: LifePlan
  let timeline: Timeline
  private var pictures = PictureMachine(source: .thirty, encoded: .thirty, end: nil)
  private var sinceKeyframe: Int64 = 0
  private(set) var needsKeyframe = true
  private var losses = PictureLosses(frameDuration: FrameRate.thirty.frameDuration)
  private var last: MediaTime?
  private var isRunning = false
  /// Captured sound whose place is not known yet.
  private var blocks: [Range<MonotonicTime>] = []
  private var soundEnd = MediaTime.zero
  private var soundPackets: Int64 = 0

  /// What the lanes do, in order.
  enum Action {
    case packet(MediaPacket)
    case lost(TrackLoss)
    case started
  }

  init(_ plan: LifePlan, _ timeline: Timeline) {
    self.plan = plan
    self.timeline = timeline
  }

  static func soundTrack(_ codec: Codec) -> Track {
    let head: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]
    return Track(
      codec: codec, format: .audio(AudioFormat(sampleRate: 48_000, channels: 2)),
      headers: codec == .opus ? head : [0x11, 0x90], bitrate: 0)
  }

  mutating func requestKeyframe() { needsKeyframe = true }

  // MARK: - Pictures

  /// A picture with the number `number`, captured at `time`; `lost` are missing before it.
  mutating func picture(_ number: Int64, at time: MonotonicTime, isStandIn: Bool, lost: Int) -> [Action] {
    if plan.isCopied { return copied(number, at: time, lost: lost) }
    let arrival = PictureMachine.Arrival(
      captureTime: time, source: ItemSource(isStandIn: isStandIn), lostBefore: lost)
    guard pictures.admits(arrival) else { return [] }
    let decided = pictures.handle(
      arrival, at: timeline.place(picture: time), stoppedAt: timeline.stoppedAt, sourceRate: .thirty)
    return actions(decided, number)
  }

  mutating func finish() -> [Action] { actions(pictures.finish(dropped: 0), 0) }

  private mutating func actions(_ decided: [PictureMachine.Action], _ number: Int64) -> [Action] {
    decided.compactMap { action in
      switch action {
      case .reportLoss(let loss): .lost(loss.shifted(by: timeline.base))
      case .reportStarted: .started
      case .reportStopped: nil
      case .encode(let time):
        .packet(
          packet(
            number, at: time, delay: .zero,
            isKeyframe: needsKeyframe || sinceKeyframe >= plan.keyframeInterval))
      }
    }
  }

  /// As a lane copies encoded pictures: groups of one P-frame and two B-frames.
  private mutating func copied(_ number: Int64, at time: MonotonicTime, lost: Int) -> [Action] {
    var actions: [Action] = []
    let place = number % plan.keyframeInterval
    let isKeyframe = place == 0
    losses.add(lost, .source)
    needsKeyframe = needsKeyframe || lost > 0
    guard !needsKeyframe || isKeyframe else {
      losses.add(1, .source)
      return []
    }
    let length = FrameRate.thirty.frameDuration
    let delay = isKeyframe ? length : place % 3 == 1 ? length + length + length : .zero
    guard let media = timeline.place(picture: time, shownAt: time + delay) else {
      if isRunning, let last {
        actions += losses.take(from: last + length, untilStop: timeline.stoppedAt).map {
          .lost($0.shifted(by: timeline.base))
        }
      }
      losses.forget()
      (needsKeyframe, isRunning) = (true, false)
      return actions
    }
    guard last.map({ media.isLater(than: $0, timescale: 90_000) }) ?? true else { return [] }
    if !isRunning { losses.forget() }
    for loss in losses.take(before: media) { actions.append(.lost(loss.shifted(by: timeline.base))) }
    if !isRunning { actions.append(.started) }
    (isRunning, last) = (true, media)
    return actions + [.packet(packet(number, at: media, delay: delay, isKeyframe: isKeyframe))]
  }

  private mutating func packet(
    _ number: Int64, at time: MediaTime, delay: MediaTime, isKeyframe: Bool
  ) -> MediaPacket {
    needsKeyframe = false
    sinceKeyframe = isKeyframe ? 1 : sinceKeyframe + 1
    let size = isKeyframe ? 400 : 40 + Int(number % 30)
    let unit = [0, 0, UInt8(size >> 8), UInt8(size & 0xFF), isKeyframe ? 0x65 : 0x41]
    let time = time + timeline.base
    return MediaPacket(
      track: .video, decodeTime: time, presentationTime: time + delay,
      duration: FrameRate.thirty.frameDuration, isKeyframe: isKeyframe,
      bytes: unit + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size - 1))
  }

  // MARK: - Sound

  /// The end of the sound so far, in the broadcast's time.
  var soundTime: MediaTime { timeline.base + soundEnd }

  /// A block of sound; what is missing before it is silence.
  mutating func sound(_ captured: Range<MonotonicTime>) -> [Action] {
    var actions: [Action] = []
    blocks.append(captured)
    while let first = blocks.first, let parts = timeline.place(sound: first) {
      blocks.removeFirst()
      for part in parts {
        if !isRunning, !plan.tracks.contains(.video) {
          isRunning = true
          actions.append(.started)
        }
        soundEnd = max(soundEnd, part.media + (part.captured.upperBound - part.captured.lowerBound))
      }
    }
    return actions + packets()
  }

  mutating func soundStopped() { if !plan.tracks.contains(.video) { isRunning = false } }

  private mutating func packets() -> [Action] {
    let (length, first): (Int64, Int64) = plan.sound == .opus ? (960, 648) : (1024, 0)
    var actions: [Action] = []
    while (soundPackets + 1) * length <= soundEnd.ticks(timescale: 48_000) {
      let time = timeline.base + MediaTime(ticks: first + soundPackets * length, timescale: 48_000)
      actions.append(
        .packet(
          MediaPacket(
            track: .audio, decodeTime: time, presentationTime: time,
            duration: MediaTime(ticks: length, timescale: 48_000), isKeyframe: true,
            bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: soundPackets), count: 9))))
      soundPackets += 1
    }
    return actions
  }
}

extension TrackLoss {
  fileprivate func shifted(by time: MediaTime) -> TrackLoss {
    var loss = self
    loss.mediaAt += time
    return loss
  }
}
