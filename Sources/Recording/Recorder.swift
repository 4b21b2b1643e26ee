internal import FFmpeg
public import MediaModel
internal import Platform

/// Writes a broadcast's packets to its recording, on a thread of its own.
///
/// Whoever offers packets is never held up: what does not fit in the queue is lost, counted, and told.
public final class Recorder: PacketReceiver {
  public enum Event: Sendable {
    /// The file is there and its first fragment can be played.
    case opened(path: String)
    /// The file that was to be gone on with can't be: the recording goes on in another one.
    case continuedElsewhere(path: String, why: String)
    /// The queue was full, because the disk is too slow.
    case lost(TrackKind, at: MediaTime, MediaTime, packets: Int)
    /// Nothing more is written; what was before is whole.
    case failed(RecordingError, bytes: Int)
    /// All that has come until `pause` is on the disk.
    case paused
    case finished(path: String, bytes: Int)
  }

  /// What goes into the queue.
  private enum Item: Sendable {
    case track(Track)
    case packet(MediaPacket)
    case pause
  }

  /// What was lost of a track since the last packet that found room.
  private typealias Losses = [TrackKind: (from: MediaTime, duration: MediaTime, packets: Int)]

  private let place: Place
  private let begin: @Sendable (_ path: String, _ tracks: [Track], _ origin: MediaTime) -> Void
  private let queue: BoundedQueue<Item>
  private let losses = Locked<Losses>([:])
  private let thread = ThreadSlot()
  private let bytes = Locked(0)
  private let report: @Sendable (Event) -> Void

  /// The file begins when all of `tracks` have said what they are; `begin` is told right before. The queue holds
  /// `queueCapacity` packets: some 20 s of a usual broadcast.
  public init(
    _ place: Place, tracks: Set<TrackKind>, queueCapacity: Int = 1600,
    begin: @escaping @Sendable (_ path: String, _ tracks: [Track], _ origin: MediaTime) -> Void = { _, _, _ in
    },
    report: @escaping @Sendable (Event) -> Void
  ) throws {
    self.place = place
    self.begin = begin
    queue = BoundedQueue(capacity: queueCapacity)
    self.report = report
    try thread.start(name: "recorder") { [self] in run(tracks) }
  }

  public var bytesWritten: Int { bytes.withLock { $0 } }

  public func offer(_ track: Track) {
    _ = queue.offer(.track(track))
  }

  public func offer(_ packet: MediaPacket) {
    // After a loss the picture goes on with a keyframe: nothing before it could be decoded.
    let isWanted = losses.withLock { $0[packet.track] == nil || packet.isKeyframe }
    let isTaken = isWanted && queue.offer(.packet(packet))
    let loss = losses.withLock { losses -> Losses.Value? in
      guard !isTaken else { return losses.removeValue(forKey: packet.track) }
      let before = losses[packet.track] ?? (packet.presentationTime, .zero, 0)
      losses[packet.track] = (before.from, before.duration + packet.duration, before.packets + 1)
      return nil
    }
    if let loss { tell(packet.track, loss) }
  }

  /// Has all that has come so far put on the disk, and says so. What is offered later is appended.
  public func pause() {
    // Where not even this finds room, the disk is far behind, and nobody waits for it for long.
    _ = queue.offer(.pause)
  }

  private func tell(_ track: TrackKind, _ loss: Losses.Value) {
    report(.lost(track, at: loss.from, loss.duration, packets: loss.packets))
  }

  /// Writes what is in the queue and closes the file.
  public func finish() {
    queue.close()
    thread.join()
    for (track, loss) in losses.withLock({ $0 }) { tell(track, loss) }
  }

  /// The file that is being written.
  private struct Current: ~Copyable {
    let path: String
    /// What its first packets' times begin with.
    let origin: MediaTime
    var writer: FragmentWriter
    var isOpen = false
  }

  private func run(_ expected: Set<TrackKind>) {
    var path = place.path
    do {
      let (tracks, early) = waitForTracks(expected)
      // What never was live leaves nothing.
      guard !tracks.isEmpty, !early.isEmpty else { return finishUnchanged() }
      var current = try open(tracks, &path)
      for packet in early { try write(packet, to: &current) }
      while let item = queue.take() {
        switch item {
        case .packet(let packet): try write(packet, to: &current)
        case .pause: try flush(&current)
        case .track: break
        }
      }
      try current.writer.finish()
      if !current.isOpen { report(.opened(path: path)) }
      report(.finished(path: path, bytes: current.writer.bytesWritten))
    } catch {
      queue.close()
      report(.failed(RecordingError(path: path, error), bytes: bytesWritten))
    }
  }

  private func open(_ tracks: [Track], _ path: inout String) throws -> Current {
    switch place {
    case .new(_, let origin): return try make(path, tracks, origin)
    case .continuing(_, let known, let fileOrigin, let origin):
      begin(path, tracks, fileOrigin)
      do {
        return Current(
          path: path, origin: fileOrigin,
          writer: try FragmentWriter(continuing: path, known, tracks: tracks))
      } catch {
        _ = try? FragmentedFile.cutTornEnd(of: path)
        path = place.nextPart
        report(.continuedElsewhere(path: path, why: "\(error)"))
        return try make(path, tracks, origin)
      }
    }
  }

  private func make(_ path: String, _ tracks: [Track], _ origin: MediaTime) throws -> Current {
    begin(path, tracks, origin)
    return Current(path: path, origin: origin, writer: try FragmentWriter(path: path, tracks: tracks))
  }

  /// Nothing has come that could be added: what there is is left whole.
  private func finishUnchanged() {
    guard case .continuing(let path, _, _, _) = place else { return }
    do {
      report(.finished(path: path, bytes: try FragmentedFile.finish(path)))
    } catch {
      report(.failed(RecordingError(path: path, error), bytes: 0))
    }
  }

  private func flush(_ current: inout Current) throws {
    try current.writer.flush()
    bytes.withLock { $0 = current.writer.bytesWritten }
    if !current.isOpen { report(.opened(path: current.path)) }
    current.isOpen = true
    report(.paused)
  }

  private func write(_ packet: MediaPacket, to current: inout Current) throws {
    var packet = packet
    packet.decodeTime -= current.origin
    packet.presentationTime -= current.origin
    try current.writer.write(packet)
    bytes.withLock { $0 = current.writer.bytesWritten }
    guard !current.isOpen, true else { return }
    current.isOpen = true
    report(.opened(path: current.path))
  }

  /// The tracks, and the packets that came before the last of them and the first one behind it.
  private func waitForTracks(_ expected: Set<TrackKind>) -> ([Track], [MediaPacket]) {
    var tracks: [Track] = []
    var early: [MediaPacket] = []
    while let item = queue.take() {
      switch item {
      case .track(let track): tracks.append(track)
      case .packet(let packet): early.append(packet)
      case .pause: report(.paused)
      }
      if !early.isEmpty, expected.isSubset(of: tracks.map(\.kind)) { break }
    }
    return (tracks, early)
  }
}
