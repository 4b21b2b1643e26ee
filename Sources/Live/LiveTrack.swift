import HoldfastMP4
package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// One track of one source as fragments for several viewers. Thread-safe, and never blocks.
package final class LiveTrack: Sendable {
  fileprivate struct State {
    /// Counts the runs.
    var number = 0
    var run: LiveRun?
    var track: Track?
    /// Of the last packet.
    var time: MediaTime?
    /// Why there is no run.
    var missing: String
    /// The decode time of the packet that woke the viewers last.
    var woken: MediaTime?
  }

  package enum Step: Hashable, Sendable {
    /// All that is needed to play what follows; takes the place of what was there before.
    case head(type: String, bytes: [UInt8])
    case fragment([UInt8])
    /// Nothing until the next head.
    case missing(String)
    case nothing
  }

  fileprivate enum Piece {
    case step(Step)
    /// A packet whose fragment has to be made and kept.
    case packet(LiveWindow.Entry, FileHead, run: Int)
  }

  private let state: Locked<State>

  /// Sound wakes the viewers less often than it comes.
  private static let soundWait = MediaTime.milliseconds(50)
  /// A sender whose times go elsewhere has begun anew.
  private static let maxJump = MediaTime.seconds(10)
  private static let maxReturn = MediaTime.seconds(1)

  package init(missing why: String) { state = Locked(State(missing: why)) }

  /// Returns whether viewers are to be woken for it.
  package func offer(_ packet: MediaPacket, of track: Track) -> Bool {
    state.withLock { state in
      let hasJumped =
        state.time.map { !($0 - Self.maxReturn...$0 + Self.maxJump).contains(packet.decodeTime) } ?? false
      if state.track != track || hasJumped { state.begin(track) }
      state.time = packet.decodeTime
      guard state.run != nil else { return false }
      state.run?.add(packet)
      if packet.track == .audio, let woken = state.woken, packet.decodeTime - woken < Self.soundWait {
        return false
      }
      state.woken = packet.decodeTime
      return true
    }
  }

  /// The source is gone.
  package func lose(_ why: String) {
    state.withLock { state in
      state = State(number: state.number, missing: why)
    }
  }

  package func next(for viewer: inout Viewer) -> Step {
    switch state.withLock({ $0.next(for: &viewer) }) {
    case .step(let step): return step
    case .packet(let entry, let head, let number):
      // Outside of the lock, which the source takes, too.
      let fragment = LiveRun.fragment(entry, head)
      state.withLock { state in
        if state.number == number { state.run?.window.keep(fragment, of: entry.number) }
      }
      return .fragment(fragment)
    }
  }

  /// A viewer's place in it.
  package struct Viewer: Sendable {
    fileprivate var run: Int?
    fileprivate var cursor = LiveCursor()
    fileprivate var told: String?
    fileprivate var skips: UInt32 = 0

    package init() {}
  }
}

extension LiveTrack.State {
  fileprivate mutating func begin(_ track: Track) {
    number += 1
    self.track = track
    (run, woken) = (nil, nil)
    // What MP4 can't hold can't be watched.
    guard let head = try? FileHead([track]) else {
      missing = "unplayable"
      return
    }
    run = LiveRun(number: number, head: head, tracks: [track])
  }

  fileprivate func next(for viewer: inout LiveTrack.Viewer) -> LiveTrack.Piece {
    guard let run else {
      guard viewer.told != missing else { return .step(.nothing) }
      viewer = LiveTrack.Viewer()
      viewer.told = missing
      return .step(.missing(missing))
    }
    guard viewer.run == run.number else {
      viewer = LiveTrack.Viewer()
      viewer.run = run.number
      return .step(.head(type: run.mimeType, bytes: run.head.bytes))
    }
    switch run.window.step(&viewer.cursor) {
    case .entry(let entry):
      if case .fragment(let bytes) = entry.content { return .step(.fragment(bytes)) }
      return .packet(entry, run.head, run: run.number)
    case .skipped(let skip):
      viewer.skips += 1
      return .step(.fragment(LiveMessage.skipped(skip, id: viewer.skips)))
    case .nothing: return .step(.nothing)
    }
  }
}

/// What is said between the fragments of a live stream.
package enum LiveMessage {
  static let scheme = "urn:holdfast:live"

  /// An empty box, which shows that the connection is there.
  package static let padding = Box.make("free", [])

  /// Ends the stream, and says why.
  package static func over(_ data: JSONValue, at time: MediaTime) -> [UInt8] {
    EventMessage(scheme: scheme, value: "over", id: 0, time: time, data: data.description).bytes
  }

  /// Which pictures a slow viewer did not get.
  package static func skipped(_ skip: LiveWindow.Skip, id: UInt32) -> [UInt8] {
    let data: JSONValue = [
      "pictures": .integer(Int64(skip.pictures)), "ms": .integer(skip.length.ticks(timescale: 1000)),
    ]
    return EventMessage(
      scheme: scheme, value: "skipped", id: id, time: skip.from, duration: skip.length, data: data.description
    ).bytes
  }
}
