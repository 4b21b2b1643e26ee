package import HoldfastMediaModel

extension RecordingMachine {
  package enum Event: Hashable, Sendable {
    case track(Track)
    /// The broadcast stood still for as long as `standstill` before it, in all.
    case packet(MediaPacket, standstill: MediaTime)
    case pauseRequested
    /// Nothing more will be offered: a disk that refuses is waited for no longer.
    case finishRequested
    /// Nothing more will be offered, and everything has been taken.
    case drained
    case timerFired(Timer)

    // Answers.

    /// So many bytes are free for us; the open file is still at its path.
    case measured(free: Int, hasFile: Bool)
    /// `ends` is where the tracks of a file that is continued end in it.
    case opened(path: String, ends: [TrackKind: MediaTime] = [:])
    /// The file has so many bytes now.
    case written(bytes: Int)
    case flushed
    case closed(bytes: Int)
    /// In place of any of these.
    case refused(RecordingError)
    /// Comes at any time.
    case synchronized(RecordingError?)
    /// Comes at any time.
    case finishedBeside(path: String, Result<Int, RecordingError>)
  }

  package enum Action: Hashable, Sendable {
    // Each answered by an event.

    case measure
    case open(Opening, [Track], origin: MediaTime)
    /// A late one goes to the previous file.
    case write(MediaPacket, isLate: Bool)
    /// Has all of the file reach the disk.
    case flush
    /// Finishes the open file, or, where none has been opened, the one that is at the path.
    case close(path: String)
    /// Has what was written reach the disk, beside.
    case synchronize
    /// Finishes the previous file, beside.
    case finishPrevious

    // Not answered.

    case note(path: String, [Track], origin: MediaTime)
    /// `needsKeyframe`: behind it the picture goes on with one.
    case lose(MediaPacket, needsKeyframe: Bool = false)
    case publish(bytes: Int)
    case report(Recorder.Event)
    case setTimer(Timer, after: MediaTime)
  }

  /// Which file is opened. One that is open becomes the previous one of the next.
  package enum Opening: Hashable, Sendable {
    case new(String)
    /// Of a recording in several files.
    case next
    /// A further one beside a file that can't be continued.
    case part(of: String)
    case continuing(String)
  }

  package enum Timer: Int, Hashable, Sendable {
    case check, retry
  }
}
