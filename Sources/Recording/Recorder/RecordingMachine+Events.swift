package import HoldfastMediaModel

extension RecordingMachine {
  package enum Event: Hashable, Sendable {
    case track(Track)
    /// `standstill` is the duration of all standstills before the packet.
    case packet(MediaPacket, standstill: MediaTime)
    case pauseRequested
    /// No more media will be offered; a failing disk is no longer waited for.
    case finishRequested
    /// No more media will be offered, and the queue is empty.
    case drained
    case timerFired(Timer)

    // Answers.

    /// `hasFile` if the open file is still at its path.
    case measured(free: Int, hasFile: Bool)
    /// `ends` are the ends of the tracks in a continued file.
    case opened(path: String, ends: [TrackKind: MediaTime] = [:])
    case written(bytes: Int)
    case flushed
    case closed(bytes: Int)
    /// In place of any answer above.
    case refused(RecordingError)
    /// Asynchronous.
    case synchronized(RecordingError?)
    /// Asynchronous.
    case finishedBeside(path: String, Result<Int, RecordingError>)
  }

  package enum Action: Hashable, Sendable {
    // Each answered by an event.

    case measure
    case open(Opening, [Track], origin: MediaTime)
    /// Late packets go to the previous file.
    case write(MediaPacket, isLate: Bool)
    /// Writes the whole file to disk.
    case flush
    /// Finishes the open file or, if none was opened, the one at the path.
    case close(path: String)
    /// Syncs on the disk worker.
    case synchronize
    /// Finishes the previous file on the disk worker.
    case finishPrevious

    // Not answered.

    case note(path: String, [Track], origin: MediaTime)
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

  package enum Timer: Int, Hashable, Sendable {
    case check, retry
  }
}
