package import HoldfastMediaModel
import HoldfastPlatform

/// Writes a broadcast's packets to its recording, on a thread of its own.
///
/// `offer` never blocks: packets wait in a queue, and those that exceed it are lost, counted and reported.
package final class Recorder: PacketReceiver {
  package enum Event: Hashable, Sendable {
    case opened(path: String)
    /// The file could not be continued; the recording continues in another one.
    case continuedElsewhere(path: String, reason: String)
    /// The queue was full, or the disk refused writes.
    case lost(Loss)
    case disk(DiskState)
    /// Nothing more is written; what was written is intact.
    case failed(RecordingError, bytes: Int)
    /// Everything offered before `flush` is on disk, or cannot be written.
    case flushed
    case finished(path: String, bytes: Int)
    /// A file before the current one could not be finished, or the next one not be opened. No media is lost.
    case unfinished(RecordingError)
  }

  package struct Loss: Hashable, Sendable {
    package let track: TrackKind
    package internal(set) var at: MediaTime
    package internal(set) var duration: MediaTime
    package internal(set) var packets: Int
    package let cause: Gap.Cause
  }

  enum Item: Sendable {
    case track(Track)
    case packet(MediaPacket)
    case flush
  }

  private let loop = EventLoop<RecordingMachine.Event>()
  private let queue = BoundedQueue<Item>(capacity: RecorderIntake.maxPackets + 1024)
  private let intake: Locked<RecorderIntake>
  private let callbacks: Callbacks
  private let report: @Sendable (Event) -> Void

  /// The file begins once all of `tracks` were offered.
  package init(
    _ destination: Destination, tracks: Set<TrackKind>, settings: RecorderSettings = RecorderSettings(),
    _ callbacks: Callbacks = Callbacks(), report: @escaping @Sendable (Event) -> Void
  ) throws {
    let intake = Locked(RecorderIntake(settings))
    self.intake = intake
    self.callbacks = callbacks
    self.report = report
    let worker = try DiskWorker(outcomes: loop.inbox, finishing: callbacks.finishing)
    try loop.start(name: "recorder") { [queue] in
      RecorderDriver(
        RecordingMachine(destination, tracks: tracks, settings: settings),
        SystemRecorderEnvironment(
          destination, queue: queue, intake: intake, worker: worker, callbacks,
          settings: settings, report: report))
    }
  }

  package var bytesWritten: Int { intake.withLock { $0.bytesWritten } }

  /// Free space of the disk above the reserve, in bytes; nil if unknown.
  package var room: Int? { intake.withLock { $0.room } }

  package var queued: MediaTime { intake.withLock { $0.length } }

  /// Those that no written packet has ended yet.
  package var losses: [Loss] { intake.withLock { $0.lasting } }

  package func offer(_ track: Track) { _ = queue.offer(.track(track)) }

  package func offer(_ packet: MediaPacket) {
    switch intake.withLock({ $0.offer(packet, at: .now) }) {
    case .accepted(let loss):
      if let loss { report(.lost(loss)) }
      if !queue.offer(.packet(packet)) { intake.withLock { $0.reject(packet) } }
    case .lost(let needsKeyframe):
      if needsKeyframe { callbacks.requestKeyframe() }
    }
  }

  /// Flushes everything offered so far, then reports `flushed`. Later packets are appended.
  package func flush() {
    // With even this queue full, the disk is far behind, and waiting is futile.
    if !queue.offer(.flush) { report(.flushed) }
  }

  /// Reports a disk that has become slow even while a write blocks; to be called periodically.
  package func checkDisk() {
    if let state = intake.withLock({ $0.checkDisk(at: .now) }) { report(.disk(state)) }
  }

  /// Writes what is queued and closes the file; blocks.
  package func finish() {
    intake.withLock { $0.close() }
    queue.close()
    loop.post(.finishRequested)
    loop.join()
    for loss in intake.withLock({ $0.takeLosses() }) { report(.lost(loss)) }
  }
}

extension [TrackKind: Recorder.Loss] {
  /// Adds a packet at `time` to the loss of its track; a new one has the cause.
  mutating func add(_ packet: MediaPacket, at time: MediaTime, _ cause: Gap.Cause) {
    var loss =
      self[packet.track]
      ?? Recorder.Loss(track: packet.track, at: time, duration: .zero, packets: 0, cause: cause)
    // B-frames are shown before the picture that they follow.
    loss.at = Swift.min(loss.at, time)
    loss.duration += packet.duration
    loss.packets += 1
    self[packet.track] = loss
  }
}
