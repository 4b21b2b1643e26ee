package import HoldfastMediaModel

extension RecordingMachine {
  package enum Event: Hashable, Sendable {
    case track(Track)
    /// `standstill` is the duration of all standstills before the packet.
    case packet(MediaPacket, standstill: MediaTime)
    case flushRequested
    /// No more media will be offered; a failing disk is no longer waited for.
    case finishRequested
    /// No more media will be offered, and the queue is empty.
    case drained
    case timerFired(Timer)

    // Outcomes.

    /// `hasFile` if the open file is still at its path.
    case measured(free: Int, hasFile: Bool)
    /// `ends` are the ends of the tracks in a continued file.
    case opened(path: String, ends: [TrackKind: MediaTime] = [:])
    case written(bytes: Int)
    case flushed
    case closed(bytes: Int)
    /// In place of any outcome above.
    case operationFailed(RecordingError)
    /// Of the sync with this number.
    case synchronized(Int, RecordingError?)
    /// Of the file whose finishing has this number: `finished` or `unfinished`.
    case previousFinished(Int, Recorder.Event)
  }

  package enum Action: Hashable, Sendable {
    // Each has an outcome.

    case measure
    case open(Opening, [Track], origin: MediaTime)
    /// Late packets go to the previous file.
    case write(MediaPacket, isLate: Bool)
    /// Writes the whole file to disk.
    case flush
    /// Finishes the open file or, if none was opened, the one at the path.
    case close(path: String)
    /// Syncs beside the other operations.
    case synchronize(Int)
    /// Finishes the previous file beside the other operations; several may be under way.
    case finishPrevious(Int)

    // Without an outcome.

    case journal(path: String, [Track], origin: MediaTime)
    /// `needsKeyframe` to request a keyframe.
    case lose(MediaPacket, needsKeyframe: Bool = false)
    case publish(bytes: Int)
    case report(Recorder.Event)
    case setTimer(Timer, after: MediaTime)
  }

  /// Which file to open; it replaces an open one, which becomes the previous file.
  package enum Opening: Hashable, Sendable {
    case new(String)
    case next
    /// A file beside one that cannot be continued.
    case part(of: String)
    case continuing(String)
  }

  enum State: Hashable {
    /// Waiting for all tracks and the first packet.
    case gathering
    /// No operation is under way; a suspended disk is waited for.
    case idle
    case busy(Operation)
    /// The recording is closed, but earlier files may not be finished yet.
    case finishing
    case finished
  }

  /// The operation under way, with what its outcome decides.
  enum Operation: Hashable {
    case measuring(Measurement)
    case opening(Opening, origin: MediaTime, reason: String)
    case writing(QueuedPacket, isLate: Bool)
    case flushing
    case closing(Closing)
  }

  enum Measurement: Hashable { case first, regular, retry }

  enum Closing: Hashable {
    /// The disk is full.
    case full
    /// A part beside it continues the recording.
    case replaced(reason: String)
    case end
  }

  package enum Timer: Int, Hashable, Sendable {
    case check, retry, sync
  }
}
