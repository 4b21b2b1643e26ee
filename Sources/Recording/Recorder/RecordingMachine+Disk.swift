import Glibc
import HoldfastMediaModel
import HoldfastPlatform

extension RecordingMachine {
  /// After EFBIG, a smaller file is not worth a successor.
  private static let smallestFull = 1 << 20

  /// Handles a failure of the operation under way.
  mutating func refused(_ error: RecordingError) {
    let before = state
    state = .idle
    switch before {
    case .measuring(.first): fail(error)
    case .measuring(.regular), .measuring(.retry), .writing(isLate: false): refuse(error)
    case .writing(isLate: true): finishPrevious()
    case .flushing:
      refuse(error)
      paused()
    case .opening(let opening, let origin, _): openingRefused(opening, origin, error)
    case .closing(let closing):
      // The file is playable without an index.
      report(.unfinished(error))
      proceed(after: closing)
    case .finishing(isClosed: false):
      report(.failed(error, bytes: file.bytes))
      state = .finishing(isClosed: true)
    case .gathering, .idle, .finishing(isClosed: true), .finished: state = before
    }
  }

  mutating func refuse(_ error: RecordingError) {
    trouble = error
    if error.code == EFBIG, file.condition == .open, file.bytes > Self.smallestFull {
      return close(.closing(.tooLarge))
    }
    act(on: .failed(code: error.code ?? EIO, isFull: error.isOutOfSpace))
  }

  /// Ends the recording before anything was written.
  private mutating func fail(_ error: RecordingError) {
    report(.failed(error, bytes: 0))
    state = .finished
  }

  mutating func act(on event: DiskGuard.Event, hasFile: Bool = false) {
    for action in disk.handle(event, at: now) {
      switch action {
      case .report(let state): report(.disk(state))
      case .finishFile: if file.condition == .open { close(.closing(.full)) }
      case .retry(let wait): actions.append(.setTimer(.retry, after: wait))
      case .resume: resume(hasFile: hasFile)
      }
    }
  }

  mutating func measured(_ free: Int, _ hasFile: Bool) {
    guard case .measuring(let measurement) = state else { return }
    state = .idle
    let isReserveLeft = free > settings.disk.reserve || settings.disk.reserve == 0
    switch measurement {
    case .first:
      guard isReserveLeft || settings.waitsForRoom else {
        return fail(
          RecordingError(
            path: file.path, SystemError(operation: "its disk has only its reserve left", code: ENOSPC)))
      }
      if settings.waitsForRoom { measured(free, isReserveLeft, hasFile) }
      if retryTime == nil { begin() }
    case .regular where file.condition == .open && !hasFile:
      refuse(RecordingError(path: file.path, SystemError.missing(file.path)))
    case .regular, .retry: measured(free, isReserveLeft, hasFile)
    }
  }

  private mutating func measured(_ free: Int, _ isReserveLeft: Bool, _ hasFile: Bool) {
    if !isReserveLeft {
      trouble = RecordingError(path: file.path, SystemError(operation: "write", code: ENOSPC))
    }
    let rate = growth.bytesPerSecond(bytesBefore + file.bytes, at: now)
    act(on: .measured(free: free, bytesPerSecond: rate), hasFile: hasFile)
  }

  mutating func closed(_ bytes: Int) {
    switch state {
    case .closing(let closing):
      report(.finished(path: file.path, bytes: bytes))
      proceed(after: closing)
    case .finishing(isClosed: false):
      actions.append(.publish(bytes: bytesBefore + bytes))
      report(.finished(path: file.path, bytes: bytes))
      state = .finishing(isClosed: true)
    case .gathering, .idle, .measuring, .opening, .writing, .flushing, .finishing, .finished: break
    }
  }

  private mutating func proceed(after closing: Closing) {
    switch closing {
    case .full: state = .idle
    case .tooLarge: open(.part(of: file.path), origin: next, why: "its disk's files can't be larger")
    }
  }

  // MARK: - Files

  private mutating func begin() {
    switch place {
    case .new(let path, let origin): open(.new(path), origin: origin)
    case .continuing(let path, _, let fileOrigin, let origin):
      actions.append(.note(path: path, tracks, origin: fileOrigin))
      open(.continuing(path), origin: origin)
    }
  }

  private mutating func resume(hasFile: Bool) {
    if file.condition == .unopened { return begin() }
    // The same file accepts writes again.
    if file.condition == .open, hasFile { return }
    file.condition = .closed
    open(.continuing(file.path), origin: next)
  }

  /// A standstill right before a new file is not kept in it.
  mutating func open(_ opening: Opening, origin: MediaTime, why: String = "") {
    switch opening {
    case .new, .next, .part: standstill = max(standstill, waiting.first?.standstill ?? .zero)
    case .continuing: break
    }
    state = .opening(opening, origin: origin, why: why)
    actions.append(.open(opening, tracks, origin: origin))
  }

  mutating func opened(_ path: String, _ known: [TrackKind: MediaTime]) {
    guard case .opening(let opening, let origin, let why) = state else { return }
    state = .idle
    let isFirst = file.condition == .unopened
    let old = file
    switch opening {
    case .continuing:
      file.condition = .open
      file.isReported = false
      file.nextSync = nil
      if !isFirst { reportMissing(known) }
    case .new, .next, .part:
      file = File(path: path, origin: origin, standstillBefore: standstill, condition: .open)
    }
    if isFirst { file.start = file.origin }
    switch opening {
    case .new, .continuing: break
    case .next:
      previous = (old, cut: origin)
      bytesBefore += old.bytes
    case .part:
      report(.continuedElsewhere(path: path, why: why))
      bytesBefore += old.bytes
      needsKeyframe = !isFirst && hasVideo
      ends = [:]
    }
  }

  private mutating func openingRefused(_ opening: Opening, _ origin: MediaTime, _ error: RecordingError) {
    let isFirst = file.condition == .unopened
    switch opening {
    case .next:
      // The current file continues; the next keyframe is another chance to cut.
      note()
      report(.unfinished(error))
    case .continuing(let path) where isFirst || error.isOfTheFile:
      open(.part(of: path), origin: origin, why: error.what)
    case .new, .continuing, .part:
      let isWaitedFor = settings.waitsForRoom && (error.code != nil || disk.state != .writing)
      if isFirst, !isWaitedFor { fail(error) } else { refuse(error) }
    }
  }

  /// Reports written media that is no longer in the file as lost.
  private mutating func reportMissing(_ known: [TrackKind: MediaTime]) {
    for (track, end) in ends {
      guard let there = known[track].map({ $0 + shiftedOrigin }), end - there > .milliseconds(1) else {
        continue
      }
      report(
        .lost(Recorder.Loss(track: track, at: there, duration: end - there, packets: 0, isHeld: true)))
    }
  }
}

/// The growth rate of a recording, smoothed.
struct Growth: Sendable {
  private var rate = 0.0
  private var measured: (bytes: Int, at: MonotonicTime)?

  mutating func bytesPerSecond(_ bytes: Int, at now: MonotonicTime) -> Int {
    let before = measured
    measured = (bytes, now)
    // The first measurement has no rate yet. Smoothing hides keyframes, whose seconds are much larger.
    guard let before, before.bytes > 0, now - before.at >= .milliseconds(500) else { return Int(rate) }
    let latest = Double(max(0, bytes - before.bytes)) / (now - before.at).seconds
    rate += (latest - rate) / (rate == 0 ? 1 : 30)
    return Int(rate)
  }
}
