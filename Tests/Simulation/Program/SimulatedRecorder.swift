internal import HoldfastMediaModel
internal import HoldfastRecording

/// The recorder: a bounded queue before the disk, and a file that is appended to.
final class SimulatedRecorder {
  private let process: SimulatedProcess
  private unowned let broadcast: SimulatedBroadcast
  private var file: RecordingFile
  /// What waits to be written; the last of it goes on until now where nothing is lost just now.
  private var queued: [Range<Int64>] = []
  private var taken: Int64
  /// Nothing that was captured since has found room.
  private var lostSince: Int64?
  private var lostTo = Gap.Cause.disk
  private var writtenAt: Int64
  private var isTicking = false
  private var flushes: [() -> Void] = []

  func release() {
    flushes = []
  }

  private static let capacity: Int64 = .s(20)
  private static let fragment: Int64 = .ms(500)

  init(_ process: SimulatedProcess, _ broadcast: SimulatedBroadcast, file: RecordingFile) {
    self.process = process
    self.broadcast = broadcast
    self.file = file
    taken = process.world.now
    writtenAt = taken
    diskChanged()
  }

  private var world: World { process.world }
  private var disk: Disk { process.disk }

  /// What is captured goes into the queue, and from there into the file as fast as the disk takes it.
  private func settle(_ state: Disk.State) {
    let now = world.now
    let passed = now - writtenAt
    writtenAt = now
    if lostSince == nil { queued.append(taken..<now) }
    taken = now
    switch state {
    case .good: write(.max)
    case .slow(let rate): write(passed * rate / 100)
    case .hung: break
    case .full, .broken: lose(.disk)
    }
    let waiting = queued.reduce(0) { $0 + $1.length }
    if waiting > Self.capacity { lose(.diskTooSlow) } else if waiting < Self.capacity / 2 { findRoom(state) }
  }

  private func write(_ amount: Int64) {
    var left = amount
    while left > 0, let first = queued.first {
      let length = min(left, first.length)
      for part in broadcast.clock.parts(of: first.lowerBound..<(first.lowerBound + length)) {
        world.expect(
          file.append(part.captured, media: part.media),
          "the recording's time line goes back, or it is finished")
      }
      left -= length
      queued[0] = (first.lowerBound + length)..<first.upperBound
      if queued[0].isEmpty { queued.removeFirst() }
    }
  }

  private func lose(_ cause: Gap.Cause) {
    guard lostSince == nil else { return }
    lostSince = cause == .disk ? queued.first?.lowerBound ?? taken : taken
    lostTo = cause
    if cause == .disk { queued = [] }
  }

  private func findRoom(_ state: Disk.State) {
    switch state {
    case .good, .slow: tellLoss()
    case .hung, .full, .broken: break
    }
  }

  private func tellLoss() {
    guard let since = lostSince else { return }
    lostSince = nil
    broadcast.tellGap(lostTo, since..<world.now, output: SimulatedBroadcast.recordingID)
  }

  /// Called before the disk changes, too.
  func settle() {
    settle(disk.state)
  }

  func diskChanged() {
    settle(disk.state)
    if disk.state == .good {
      let done = flushes
      flushes = []
      for act in done { act() }
    }
    tick()
  }

  private func tick() {
    guard disk.state != .good, !isTicking else { return }
    isTicking = true
    process.after(.s(2)) { [self] in
      isTicking = false
      guard !file.isFinished else { return }
      settle()
      if queued.isEmpty, !flushes.isEmpty { diskFlushed() }
      tick()
    }
  }

  private func diskFlushed() {
    let done = flushes
    flushes = []
    for act in done { act() }
  }

  /// Has all that has come so far put on the disk.
  func pause(_ done: @escaping () -> Void) {
    flush(done)
  }

  private func flush(_ done: @escaping () -> Void) {
    settle()
    switch disk.state {
    case .good:
      process.after(.ms(20)) { [self] in
        settle()
        if disk.state == .good { file.flushedUntil = world.now }
        done()
      }
    case .full, .broken: process.after(.ms(1), done)
    case .slow where queued.isEmpty: process.after(.ms(200), done)
    case .slow, .hung: flushes.append(done)
    }
  }

  func finish(_ done: @escaping () -> Void) {
    flush { [self] in
      settle()
      tellLoss()
      file.flushedUntil = world.now
      file.finish()
      done()
    }
  }

  /// The process is gone: the fragment that was being made is lost, and so is what waited.
  func vanish() {
    settle()
    file.cut(to: min(queued.first?.lowerBound ?? .max, world.now - (world.now % Self.fragment)))
  }
}
