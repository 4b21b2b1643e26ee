package import HoldfastMediaModel
internal import HoldfastPlatform

/// Writes a broadcast's packets to its recording, on a thread of its own.
///
/// Whoever offers packets is never held up. What the disk does not take at once waits in a queue; what does not fit in
/// it is lost, counted, and told.
package final class Recorder: PacketReceiver {
  package enum Event: Sendable {
    /// The file is there and can be played.
    case opened(path: String)
    /// The file that was to be gone on with can't be: the recording goes on in another one.
    case continuedElsewhere(path: String, why: String)
    /// The queue was full, because the disk is too slow, or holds the recording.
    case lost(Loss)
    case disk(DiskState)
    /// Nothing more is written; what was before is whole.
    case failed(RecordingError, bytes: Int)
    /// All that has come until `pause` is on the disk, or can't be.
    case paused
    case finished(path: String, bytes: Int)
    /// A file that the recording has left could not be finished. What it has is whole.
    case unfinished(RecordingError)
  }

  /// A stretch of one track that is not in the recording.
  package struct Loss: Hashable, Sendable {
    package let track: TrackKind
    package let at: MediaTime
    package internal(set) var duration: MediaTime
    package internal(set) var packets: Int
    /// The disk took nothing; else it was too slow.
    package let isHeld: Bool
  }

  private let queue: RecorderQueue
  private let disk: DiskWatch
  private let losses = Locked<[TrackKind: Loss]>([:])
  /// The queue was full, and has not yet become half empty: what it takes meanwhile would be one gap after another.
  private let isFull = Locked(false)
  private let nextRequest = Locked(MonotonicTime.now)
  private let limit: MediaTime
  private let thread = ThreadSlot()
  private let bytes = Locked(0)
  private let requestKeyframe: @Sendable () -> Void
  private let report: @Sendable (Event) -> Void

  /// The file begins when all of `tracks` have said what they are.
  package init(
    _ place: Place, tracks: Set<TrackKind>, settings: RecorderSettings = RecorderSettings(),
    _ surroundings: RecorderSurroundings = RecorderSurroundings(),
    report: @escaping @Sendable (Event) -> Void
  ) throws {
    limit = settings.queue
    queue = try RecorderQueue(limit: settings.queue)
    disk = DiskWatch(settings.disk) { report(.disk($0)) }
    requestKeyframe = surroundings.requestKeyframe
    self.report = report
    try thread.start(name: "recorder") { [self] in
      do {
        var run = try RecorderRun(
          place, settings, surroundings, queue: queue, disk: disk, report: report,
          lose: { [self] in lose($0, isHeld: true) }, count: { [self] count in bytes.withLock { $0 = count } }
        )
        run.run(tracks)
      } catch {
        queue.close()
        report(.failed(RecordingError(path: place.path, error), bytes: 0))
      }
    }
  }

  package var bytesWritten: Int { bytes.withLock { $0 } }

  /// How much waits for the disk.
  package var queued: MediaTime { queue.length }

  package func offer(_ track: Track) {
    _ = queue.offer(.track(track))
  }

  package func offer(_ packet: MediaPacket) {
    guard hasRoom else { return lose(packet) }
    // After a loss the picture goes on with a keyframe: nothing before it could be decoded.
    guard losses.withLock({ $0[packet.track] == nil || packet.isKeyframe }) else {
      lose(packet)
      return wantKeyframe()
    }
    guard queue.offer(packet) else {
      isFull.withLock { $0 = true }
      return lose(packet)
    }
    if let loss = losses.withLock({ $0.removeValue(forKey: packet.track) }) { report(.lost(loss)) }
  }

  private var hasRoom: Bool {
    let length = queue.length
    return isFull.withLock { isFull in
      isFull = isFull && length.nanoseconds > limit.nanoseconds / 2
      return !isFull
    }
  }

  /// Asks for one, but not with each picture that comes until it is there.
  private func wantKeyframe() {
    let isDue = nextRequest.withLock { next in
      guard next <= .now, !queue.isClosed else { return false }
      next = .now + .seconds(1)
      return true
    }
    if isDue { requestKeyframe() }
  }

  private func lose(_ packet: MediaPacket) {
    lose(packet, isHeld: disk.isBehind)
  }

  private func lose(_ packet: MediaPacket, isHeld: Bool) {
    losses.withLock { losses in
      let first = Loss(
        track: packet.track, at: packet.presentationTime, duration: .zero, packets: 0, isHeld: isHeld)
      losses[packet.track, default: first].duration += packet.duration
      losses[packet.track, default: first].packets += 1
    }
  }

  /// Has all that has come so far put on the disk, and says so. What is offered later is appended.
  package func pause() {
    // Where not even this finds room, the disk is far behind, and nobody waits for it for long.
    if !queue.offer(.pause) { report(.paused) }
  }

  /// To be asked now and then: notices that the disk has become slow while a write still lasts.
  package func look() {
    disk.look(at: queue.length)
  }

  /// Writes what is in the queue and closes the file.
  package func finish() {
    queue.close()
    thread.join()
    for (_, loss) in losses.withLock({ $0 }) { report(.lost(loss)) }
  }
}
