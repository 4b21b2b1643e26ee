import HoldfastMediaModel

/// Decides which pictures of a lane are encoded and which losses are reported.
struct PictureMachine: Sendable {
  struct Arrival: Hashable, Sendable {
    let captureTime: MonotonicTime
    var provenance = Provenance()
    /// Pictures that the device reports lost immediately before this one.
    var lostBefore = 0
    /// Pictures dropped by the lane's queue.
    var droppedBefore = 0
  }

  enum Place: Hashable, Sendable {
    case at(MediaTime)
    case outside(standstill: MediaTime)
  }

  enum Action: Hashable, Sendable {
    case lose(TrackLoss)
    case reportBegan
    case reportHeld
    /// Always the last action.
    case encode(at: MediaTime)
  }

  private let frameRate: FrameRate
  private let end: MediaTime?
  private var limit: RateLimit
  private var losses: PictureLosses
  private var absence: Absence
  private var last: MediaTime?
  private var isRunning = false
  private var source: Int?
  private var isAfterChange = false
  /// A picture at or after the track's end has arrived.
  private(set) var hasReachedEnd = false

  init(source: FrameRate, encoded: FrameRate, end: MediaTime?) {
    frameRate = encoded
    self.end = end
    limit = RateLimit(source: source, target: encoded)
    losses = PictureLosses(frameDuration: source.frameDuration)
    absence = Absence(.video, frameDuration: encoded.frameDuration)
  }

  /// False for pictures of a replaced source.
  mutating func admits(_ picture: Arrival) -> Bool {
    losses.add(picture.droppedBefore, .encoderTooSlow)
    return source.map { picture.provenance.source >= $0 } ?? true
  }

  /// Handles an admitted picture. `sourceRate` is that of the current source.
  mutating func handle(_ picture: Arrival, at place: Place, sourceRate: FrameRate?) -> [Action] {
    var actions: [Action] = []
    if let source, picture.provenance.source > source, let sourceRate {
      limit = RateLimit(source: sourceRate, target: frameRate)
      actions = takeLosses(before: last ?? .zero, isFirst: !isRunning)
      losses = PictureLosses(frameDuration: sourceRate.frameDuration)
      isAfterChange = true
    }
    source = picture.provenance.source
    if !isAfterChange { losses.add(picture.lostBefore, .source) }
    switch place {
    case .at(let time): return actions + put(picture, at: time)
    case .outside(let standstill):
      return actions + hold(at: standstill, isStandIn: picture.provenance.isStandIn)
    }
  }

  /// No more pictures arrive; the last `dropped` did not fit in the queue.
  mutating func finish(dropped: Int) -> [Action] {
    if !hasReachedEnd { losses.add(dropped, .encoderTooSlow) }
    return takeLosses(before: last ?? .zero, isFirst: last == nil)
      + lose(absence.end(at: absence.end(of: last)))
  }

  private mutating func hold(at standstill: MediaTime, isStandIn: Bool) -> [Action] {
    losses.forget()
    var actions: [Action] = []
    // A silent camera is noticed only at the interruption.
    if isRunning, isStandIn, !absence.isOpen, let end = absence.end(of: last) {
      absence.begin(at: end)
      actions += lose(absence.end(at: standstill))
    }
    actions += lose(absence.end(at: absence.end(of: last)))
    if isRunning { actions.append(.reportHeld) }
    isRunning = false
    return actions
  }

  private mutating func put(_ picture: Arrival, at time: MediaTime) -> [Action] {
    hasReachedEnd = end.map { time >= $0 } ?? false
    guard !hasReachedEnd, limit.allows(picture.captureTime),
      isNext(time, isStandIn: picture.provenance.isStandIn)
    else { return [] }
    isAfterChange = false
    var actions: [Action] = []
    if picture.provenance.isStandIn {
      absence.begin(at: isRunning ? absence.end(of: last) ?? time : time)
    } else {
      actions += lose(absence.end(at: time))
    }
    actions += takeLosses(before: time, isFirst: !isRunning)
    if !isRunning { actions.append(.reportBegan) }
    isRunning = true
    last = time
    return actions + [.encode(at: time)]
  }

  /// Whether a picture at `time` can follow the last one; counts pictures missing in between.
  private mutating func isNext(_ time: MediaTime, isStandIn: Bool) -> Bool {
    guard let last else { return true }
    let isOther = isAfterChange || isStandIn != absence.isOpen
    // Drivers repeat times and step back; a file can't.
    guard time.isLater(than: last, timescale: 90_000) else {
      if !absence.isOpen, !isOther { losses.add(1, .source) }
      return false
    }
    guard isOther, isRunning else { return true }
    // Avoids two pictures with the same time on servers that count milliseconds.
    guard time - last >= MediaTime(nanoseconds: frameRate.frameDuration.nanoseconds / 2) else {
      return false
    }
    if isAfterChange, !absence.isOpen { losses.add(missing(from: last, to: time), .source) }
    return true
  }

  /// The number of pictures missing at a source change, less one.
  private func missing(from last: MediaTime, to time: MediaTime) -> Int {
    max(0, Int(((time - last).seconds * frameRate.framesPerSecond).rounded()) - 2)
  }

  private func lose(_ loss: TrackLoss?) -> [Action] { loss.map { [.lose($0)] } ?? [] }

  private mutating func takeLosses(before time: MediaTime, isFirst: Bool) -> [Action] {
    if isFirst { losses.forget() }
    return losses.take(before: time).map { .lose($0) }
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
