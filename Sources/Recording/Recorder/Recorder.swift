package import HoldfastMediaModel
internal import HoldfastPlatform

/// Writes a broadcast's packets to its recording, on a thread of its own.
///
/// `offer` never blocks. What the disk does not take at once waits in a queue; what does not fit in it is lost, counted,
/// and reported.
package final class Recorder: PacketReceiver {
  package enum Event: Hashable, Sendable {
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
    package internal(set) var at: MediaTime
    package internal(set) var duration: MediaTime
    package internal(set) var packets: Int
    /// The disk took nothing; else it was too slow.
    package let isHeld: Bool
  }

  enum Item: Sendable {
    case track(Track)
    case packet(MediaPacket)
    case pause
  }

  private let loop = EventLoop<RecordingMachine.Event>()
  private let queue = BoundedQueue<Item>(capacity: RecorderIntake.maxPackets + 1024)
  private let intake: Locked<RecorderIntake>
  private let callbacks: Callbacks
  private let report: @Sendable (Event) -> Void

  /// The file begins when all of `tracks` have said what they are.
  package init(
    _ place: Place, tracks: Set<TrackKind>, settings: RecorderSettings = RecorderSettings(),
    _ callbacks: Callbacks = Callbacks(), report: @escaping @Sendable (Event) -> Void
  ) throws {
    let intake = Locked(RecorderIntake(settings))
    self.intake = intake
    self.callbacks = callbacks
    self.report = report
    let worker = try DiskWorker(answers: loop.inbox)
    try loop.start(name: "recorder") { [queue] in
      RecorderDriver(
        RecordingMachine(place, tracks: tracks, settings: settings),
        FileEnvironment(
          place, queue: queue, intake: intake, worker: worker, callbacks, expected: settings.expectedFile,
          report: report))
    }
  }

  package var bytesWritten: Int { intake.withLock { $0.bytesWritten } }

  /// How much waits for the disk.
  package var queued: MediaTime { intake.withLock { $0.length } }

  package func offer(_ track: Track) {
    _ = queue.offer(.track(track))
  }

  package func offer(_ packet: MediaPacket) {
    switch intake.withLock({ $0.offer(packet, at: .now) }) {
    case .taken(let loss):
      guard queue.offer(.packet(packet)) else { return intake.withLock { $0.giveUp(packet) } }
      if let loss { report(.lost(loss)) }
    case .lost(let needsKeyframe):
      if needsKeyframe { callbacks.requestKeyframe() }
    }
  }

  /// Has all that has come so far put on the disk, and says so. What is offered later is appended.
  package func pause() {
    // Where not even this finds room, the disk is far behind, and nobody waits for it for long.
    if !queue.offer(.pause) { report(.paused) }
  }

  /// To be called now and then: notices that the disk has become slow while a write still lasts.
  package func checkDisk() {
    if let news = intake.withLock({ $0.checkDisk(at: .now) }) { report(.disk(news)) }
  }

  /// Writes what is in the queue and closes the file.
  package func finish() {
    intake.withLock { $0.close() }
    queue.close()
    loop.post(.finishRequested)
    loop.join()
    for loss in intake.withLock({ $0.takeLosses() }) { report(.lost(loss)) }
  }
}
