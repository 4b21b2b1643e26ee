import HoldfastMediaModel

/// Decides which pictures of a lane are encoded and which losses are reported.
struct PictureMachine: Sendable {
  struct Arrival: Hashable, Sendable {
    let captureTime: MonotonicTime
    var source = ItemSource()
    /// Pictures that the device reports lost immediately before this one.
    var lostBefore = 0
    /// Pictures dropped by the lane's queue.
    var droppedBefore = 0
  }

  enum Action: Hashable, Sendable {
    case reportLoss(TrackLoss)
    case reportStarted
    case reportStopped
    /// Always the last action.
    case encode(at: MediaTime)
  }

  private let frameRate: FrameRate
  private let end: MediaTime?
  private var limit: RateLimit
  private var losses: PictureLosses
  private(set) var stretches = LossStretches()
  private(set) var outage: DeviceOutage
  private var last: MediaTime?
  private var isRunning = false
  private var source: Int?
  private var sourceRate: FrameRate
  private var isAfterChange = false
  /// A picture at or after the track's end has arrived.
  private(set) var hasReachedEnd = false

  init(source: FrameRate, encoded: FrameRate, end: MediaTime?) {
    frameRate = encoded
    sourceRate = source
    self.end = end
    limit = RateLimit(source: source, target: encoded)
    losses = PictureLosses(frameDuration: source.frameDuration)
    outage = DeviceOutage(track: .video, frameDuration: encoded.frameDuration)
  }

  /// False for pictures of a replaced source.
  mutating func admits(_ picture: Arrival) -> Bool {
    losses.add(picture.droppedBefore, .encoderTooSlow)
    return source.map { picture.source.number >= $0 } ?? true
  }

  /// Handles an admitted picture at its media time; nil if that stands still, since `stoppedAt`. `sourceRate` is that of
  /// the current source.
  mutating func handle(
    _ picture: Arrival, at time: MediaTime?, stoppedAt: @autoclosure () -> MediaTime, sourceRate: FrameRate?
  ) -> [Action] {
    var actions: [Action] = []
    let isOther = source.map { picture.source.number > $0 } ?? false
    // A source may also come back with another rate.
    if let sourceRate, isOther || sourceRate != self.sourceRate {
      self.sourceRate = sourceRate
      limit = RateLimit(source: sourceRate, target: frameRate)
      actions = takeLosses(before: last ?? .zero, isFirst: !isRunning)
      losses = PictureLosses(frameDuration: sourceRate.frameDuration)
      isAfterChange = isAfterChange || isOther
    }
    source = picture.source.number
    if !isAfterChange { losses.add(picture.lostBefore, .source) }
    guard let time else { return actions + stop(at: stoppedAt(), picture.source) }
    return actions + encode(picture, at: time)
  }

  /// No more pictures arrive; the last `dropped` did not fit in the queue.
  mutating func finish(dropped: Int) -> [Action] {
    if !hasReachedEnd { losses.add(dropped, .encoderTooSlow) }
    return takeLosses(before: last ?? .zero, isFirst: last == nil) + report(stretches.end())
      + reportLoss(outage.end(at: outage.end(of: last)))
  }

  private mutating func stop(at stoppedAt: MediaTime, _ source: ItemSource) -> [Action] {
    let isStandIn = source.isStandIn
    var actions = isStandIn ? [] : takeLosses(untilStop: stoppedAt)
    actions += report(stretches.end())
    losses.forget()
    // A silent camera is noticed only at the interruption.
    if isRunning, isStandIn, !outage.isOpen, let end = outage.end(of: last) {
      outage.begin(at: end, source.outageCause)
      actions += reportLoss(outage.end(at: stoppedAt))
    }
    actions += reportLoss(outage.end(at: outage.end(of: last)))
    if isRunning { actions.append(.reportStopped) }
    isRunning = false
    return actions
  }

  /// What is lost between the last picture and the end of the track, or replaced until there.
  private mutating func finish(at end: MediaTime, _ source: ItemSource) -> [Action] {
    let actions = source.isStandIn ? [] : takeLosses(untilStop: end)
    losses.forget()
    if isRunning, source.isStandIn, !outage.isOpen, let start = outage.end(of: last), start < end {
      outage.begin(at: start, source.outageCause)
    }
    return actions + reportLoss(outage.end(at: end))
  }

  private mutating func encode(_ picture: Arrival, at time: MediaTime) -> [Action] {
    if let end, time >= end {
      hasReachedEnd = true
      return finish(at: end, picture.source)
    }
    guard limit.allows(picture.captureTime),
      follows(time, isStandIn: picture.source.isStandIn)
    else { return [] }
    isAfterChange = false
    var actions: [Action] = []
    if picture.source.isStandIn {
      outage.begin(at: isRunning ? outage.end(of: last) ?? time : time, picture.source.outageCause)
    } else {
      actions += reportLoss(outage.end(at: time))
    }
    actions += takeLosses(before: time, isFirst: !isRunning)
    if !isRunning { actions.append(.reportStarted) }
    isRunning = true
    last = time
    return actions + [.encode(at: time)]
  }

  /// Whether a picture at `time` can follow the last one; counts pictures missing in between.
  private mutating func follows(_ time: MediaTime, isStandIn: Bool) -> Bool {
    guard let last else { return true }
    let isOther = isAfterChange || isStandIn != outage.isOpen
    // Drivers repeat times and step back; a file can't.
    guard time.isLater(than: last, timescale: 90_000) else {
      if !outage.isOpen, !isOther { losses.add(1, .source) }
      return false
    }
    guard isOther, isRunning else { return true }
    // Avoids two pictures with the same time on servers that count milliseconds.
    guard time - last >= MediaTime(nanoseconds: frameRate.frameDuration.nanoseconds / 2) else {
      return false
    }
    if isAfterChange, !outage.isOpen { losses.add(missing(from: last, to: time), .source) }
    return true
  }

  /// The number of pictures missing at a source change, less one.
  private func missing(from last: MediaTime, to time: MediaTime) -> Int {
    max(0, Int(((time - last).seconds * frameRate.framesPerSecond).rounded()) - 2)
  }

  private func reportLoss(_ loss: TrackLoss?) -> [Action] { loss.map { [.reportLoss($0)] } ?? [] }
  private func report(_ losses: [TrackLoss]) -> [Action] { losses.map { .reportLoss($0) } }

  /// What is lost between the last picture and the stop of media time.
  private mutating func takeLosses(untilStop stop: MediaTime) -> [Action] {
    guard isRunning, !outage.isOpen, let start = outage.end(of: last) else { return [] }
    return report(stretches.add(losses.take(from: start, untilStop: stop), at: stop))
  }

  private mutating func takeLosses(before time: MediaTime, isFirst: Bool) -> [Action] {
    if isFirst { losses.forget() }
    return report(stretches.add(losses.take(before: time), at: time))
  }
}

/// Drops pictures to limit the frame rate.
struct RateLimit: Sendable {
  private let interval: MediaTime?
  private var next: MonotonicTime?

  /// A source up to 5 % faster than the target is not limited.
  init(source: FrameRate, target: FrameRate) {
    interval = Self.applies(source: source, target: target) ? target.frameDuration : nil
  }

  static func applies(source: FrameRate, target: FrameRate) -> Bool {
    source.framesPerSecond > target.framesPerSecond * 1.05
  }

  mutating func allows(_ time: MonotonicTime) -> Bool {
    guard let interval else { return true }
    let tolerance = MediaTime(nanoseconds: interval.nanoseconds / 8)
    guard let due = next else {
      next = time + interval
      return true
    }
    guard time + tolerance >= due else { return false }
    let isLate = time - due > interval
    next = (isLate ? time : due) + interval
    return true
  }
}
