import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastMixing

/// Turns captured blocks into a gapless track: aligned, resampled, encoded.
struct AlignedTrack: ~Copyable {
  private var source: AudioFormat
  private var hasOwnClock: Bool
  private let target: AudioFormat
  private let destination: LaneDestination
  /// The end of the track, in frames.
  private let end: Int64?
  private var aligner: AudioAligner
  private var resampler: Resampler
  private var joint = SoundJoint()
  private var encoder: AudioEncoder
  /// A block was added since media time last stopped.
  private var isRunning = false
  private var position: Int64 = 0
  private var outage = DeviceOutage(track: .audio)
  private var members = MemberOutages(track: .audio)
  private var stretches = LossStretches()
  private var number: Int?
  private var isAfterChange = false

  init(properties: AudioProperties, encoder: consuming AudioEncoder, destination: LaneDestination) throws {
    let format = encoder.format
    destination.announce(encoder.track)
    let resampler = try Resampler(from: properties.format, to: format, isAdjustable: properties.hasOwnClock)
    source = properties.format
    hasOwnClock = properties.hasOwnClock
    target = format
    self.destination = destination
    end = destination.end?.ticks(timescale: format.sampleRate)
    aligner = AudioAligner(source: properties.format, target: format, origin: Self.zero)
    self.resampler = resampler
    self.encoder = encoder
  }

  /// The origin of media time for the aligner.
  private static let zero = MonotonicTime(nanoseconds: 0)
  /// Silence up to this duration is not reported as lost when media time resumes: clocks never agree exactly.
  private static let tolerance = MediaTime.milliseconds(5)

  var isComplete: Bool { end.map { position >= $0 } ?? false }

  /// Adds the parts of a block that fall on the timeline. `properties` is that of the current source.
  mutating func add(_ parts: [Timeline.Part], of queued: Queued<AudioBlock>, properties: AudioProperties?)
    throws
  {
    let block = queued.item
    if let number, queued.source.number > number, let properties { try change(to: properties) }
    number = queued.source.number
    for part in parts {
      destination.report(lost: members.update(block.absentMembers, at: part.media))
      try add(
        block.cut(to: part.captured), at: part.media, isAfterPause: part.isAfterPause,
        isAfterDrop: queued.droppedBefore > 0, queued.source)
    }
    let isCut = parts.last.map { $0.captured.upperBound < block.captureTime + block.duration } ?? true
    if isCut, isRunning {
      try pause(at: destination.timeline.stoppedAt, queued.source)
      destination.report(lost: members.end(at: destination.timeline.stoppedAt))
      destination.report(.stopped(.audio))
    }
    if !isCut, !isRunning { destination.reportStart() }
    isRunning = !isCut
    let now = target.duration(ofFrames: Int(position))
    destination.show(stretches.lasting + members.lasting(at: now), outage)
  }

  private mutating func add(
    _ block: AudioBlock, at time: MediaTime, isAfterPause: Bool, isAfterDrop: Bool,
    _ origin: ItemSource
  ) throws {
    guard block.frameCount > 0 else { return }
    let isStandIn = origin.isStandIn
    let isSwitch = isStandIn != outage.isOpen
    if isSwitch, isStandIn {
      outage.begin(at: isAfterPause ? time : target.duration(ofFrames: Int(position)), origin.outageCause)
    }
    if isSwitch, !isStandIn {
      // Sound that overlaps the silence is skipped.
      destination.report(lost: outage.end(at: max(time, target.duration(ofFrames: Int(position)))))
    }
    if block.format != source { try switchInput(to: block.format) }
    let isAfterChange = isAfterChange
    self.isAfterChange = false
    let placement = aligner.place(
      stamp: Self.zero + time, frames: block.frameCount, position: position + Int64(resampler.delay),
      isAfterLoss: isAfterPause || isAfterDrop || isSwitch || isAfterChange || block.lostBefore > .zero
        || block.isAfterJump)
    if !isSwitch,
      !(isAfterPause || isAfterChange) || target.duration(ofFrames: placement.silence) > Self.tolerance
    {
      reportLoss(before: block, silence: placement.silence, isAfterDrop: isAfterDrop, origin.outageCause)
    }
    try emitSilence(placement.silence)
    if isAfterPause || isSwitch || isAfterChange || placement.silence > 0 || placement.skipped > 0 {
      joint.begin()
    }
    if let stretch = placement.stretch, hasOwnClock, !isStandIn {
      try resampler.stretch(by: stretch, over: target.sampleRate)
    }
    let samples =
      placement.skipped == 0
      ? block.samples : Array(block.samples.dropFirst(placement.skipped * source.channels))
    if !samples.isEmpty { try emit(resampler.convert(joint.smoothed(samples, source))) }
    destination.report(lost: stretches.add([], at: target.duration(ofFrames: Int(position))))
  }

  private mutating func change(to properties: AudioProperties) throws {
    hasOwnClock = properties.hasOwnClock
    try switchInput(to: properties.format)
    isAfterChange = true
  }

  /// Switches to another input format.
  private mutating func switchInput(to format: AudioFormat) throws {
    try emit(resampler.finish())
    resampler = try Resampler(from: format, to: target, isAdjustable: hasOwnClock)
    aligner = AudioAligner(source: format, target: target, origin: Self.zero)
    source = format
  }

  /// Media time has stopped at `time`, where a packet ends; fills the remainder with silence if the microphone is
  /// lost, or if only its clock differs.
  private mutating func pause(at time: MediaTime, _ origin: ItemSource) throws {
    let frames = Int(time.ticks(timescale: target.sampleRate) - position)
    if origin.isStandIn, frames > 0 {
      outage.begin(at: target.duration(ofFrames: Int(position)), origin.outageCause)
      try emitSilence(frames)
      destination.report(lost: outage.end(at: time))
    } else if frames > 0, target.duration(ofFrames: frames) <= Self.tolerance {
      try emit([Float](repeating: 0, count: frames * target.channels))
    }
    destination.send(try encoder.flush())
    endOutage()
  }

  private mutating func endOutage() {
    destination.report(lost: stretches.end())
    destination.report(lost: outage.end(at: target.duration(ofFrames: Int(position))))
  }

  mutating func finish() throws {
    if isRunning { try emit(resampler.finish()) }
    endOutage()
    destination.report(lost: members.end(at: target.duration(ofFrames: Int(position))))
    destination.send(try encoder.finish())
  }

  private mutating func emit(_ samples: [Float]) throws {
    let room = end.map { Int(max(0, $0 - position)) * target.channels } ?? samples.count
    let fitting = samples.count <= room ? samples : Array(samples.prefix(room))
    guard !fitting.isEmpty else { return }
    position += Int64(fitting.count / target.channels)
    destination.meters.addSound(fitting, drift: hasOwnClock ? aligner.drift : nil)
    destination.send(try encoder.encode(fitting))
  }

  /// Emitted in pieces of a second to bound memory.
  private mutating func emitSilence(_ frames: Int) throws {
    if frames > 0 { joint.begin() }
    var left = MediaTime(ticks: Int64(frames), timescale: target.sampleRate).ticks(
      timescale: source.sampleRate)
    while left > 0, !isComplete {
      let piece = min(left, Int64(source.sampleRate))
      let silence = [Float](repeating: 0, count: Int(piece) * source.channels)
      try emit(resampler.convert(joint.smoothed(silence, source)))
      left -= piece
    }
  }

  /// Reports the device's own count of lost sound; without one, the silence that was inserted.
  private mutating func reportLoss(
    before block: AudioBlock, silence: Int, isAfterDrop: Bool, _ usual: Gap.Cause
  ) {
    let silent = target.duration(ofFrames: silence)
    let at = target.duration(ofFrames: Int(position))
    let room = destination.end.map { $0 - at } ?? MediaTime(nanoseconds: .max)
    let lost = min(block.lostBefore > .zero ? block.lostBefore : silent, room)
    guard position > 0, lost > .zero else { return }
    let cause: Gap.Cause =
      isAfterDrop
      ? .encoderTooSlow : block.lostBefore > .zero && hasOwnClock && usual == .device ? .xrun : .source
    // Silence takes its place.
    let loss = TrackLoss(track: .audio, cause: cause, mediaAt: at, duration: lost, isFilled: true)
    destination.report(lost: stretches.add([loss], at: at))
  }
}
