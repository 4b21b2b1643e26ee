package import HoldfastMediaModel
package import HoldfastPlatform

/// The side effects of a recorder. Results are events that `wait` returns.
package protocol RecorderEnvironment: ~Copyable {
  /// Measures the free space, unless the disk has been unmounted.
  mutating func measure()
  /// Opens a file; a new one is first noted in the journal.
  mutating func open(_ opening: RecordingMachine.Opening, _ tracks: [Track], origin: MediaTime)
  mutating func write(_ packet: MediaPacket, isLate: Bool)
  mutating func flush()
  mutating func close(path: String)
  /// Syncs on another thread.
  mutating func synchronize(_ number: Int)
  /// Finishes the previous file on another thread.
  mutating func finishPrevious(_ number: Int)
  /// Notes in the journal that `origin` on the media timeline is 0 in the file.
  mutating func journal(path: String, _ tracks: [Track], origin: MediaTime)
  /// Counts a packet as lost to a failing disk, and requests a keyframe if `needsKeyframe`.
  mutating func lose(_ packet: MediaPacket, needsKeyframe: Bool)
  mutating func publish(bytes: Int)
  mutating func report(_ event: Recorder.Event)
  /// Blocks until an event arrives; takes packets and requests from the queue only if `takesMedia`.
  mutating func wait(
    for inbox: Inbox<RecordingMachine.Event>, until deadline: MonotonicTime?, takesMedia: Bool
  ) -> RecordingMachine.Event?
}
