import HoldfastCapture
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// The encodes of a lane's pictures, with keyframes in common. One alone runs on the lane's thread, several each on
/// their own.
struct Renditions {
  private struct Running {
    let rendition: LaneRendition
    let encoder: Locked<PictureEncoder>
    /// Nil while it runs on the lane's thread.
    var thread: RenditionThread?
    /// Since the last picture that it took.
    var dropped = 0
    var owed = PictureRequest()

    var id: RenditionID { rendition.planned.id }
  }

  private let frameDuration: MediaTime
  private let destination: LaneDestination
  private let backlog: Locked<Int>
  private var keyframes: KeyframeInterval
  private var running: [Running] = []
  /// Of the last picture.
  private var end = MediaTime.zero
  /// No longer used; they end by themselves, but may take their time.
  private var ended: [RenditionThread] = []

  init(
    _ renditions: [LaneRendition], _ settings: PictureEncoding.Settings, of source: VideoProperties,
    _ destination: LaneDestination, backlog: Locked<Int>
  ) throws {
    let rate = settings.frameRate(of: source)
    (frameDuration, self.destination, self.backlog) = (rate.frameDuration, destination, backlog)
    keyframes = KeyframeInterval(
      pictures: VideoEncoder.Settings.pictures(in: settings.keyframeInterval, at: rate))
    running = try renditions.map {
      Running(rendition: $0, encoder: Locked(try PictureEncoder($0, settings, of: source)))
    }
  }

  /// Encodes a picture at media time `time`; `waiting` and `dropped` are those of the lane.
  mutating func encode(
    _ picture: consuming Frame, at time: MediaTime, _ requested: EncoderRequests.Requested, waiting: Int,
    dropped: Int
  ) throws {
    end = time + frameDuration
    if let inUse = requested.inUse { endAll { !inUse.contains($0.id) } }
    let isKeyframe = keyframes.next(isRequested: requested.keyframe)
    for index in running.indices {
      if isKeyframe { running[index].owed.isKeyframeForced = true }
      if let change = requested.bitrates[running[index].id] { running[index].owed.bitrate = change }
    }
    if running.count == 1, returnsToLane(&running[0]) {
      let request = running[0].owed
      running[0].owed = PictureRequest()
      var picture = Optional(consume picture)
      return try running[0].encoder.withLock { encoder in
        guard let picture = picture.take() else { return }
        try encoder.encode(picture, at: time, request, waiting: waiting, dropped: dropped)
      }
    }
    for index in running.indices { try offer(picture.reference(), at: time, to: &running[index]) }
  }

  /// Whether the only rendition is encoded on the lane's thread, which it is once its own has nothing to do.
  private func returnsToLane(_ only: inout Running) -> Bool {
    guard let thread = only.thread else { return true }
    guard thread.isIdle else { return false }
    thread.close()
    thread.join()
    only.thread = nil
    return true
  }

  private func offer(_ picture: consuming Frame, at time: MediaTime, to running: inout Running) throws {
    let thread = try running.thread ?? makeThread(running)
    running.thread = thread
    let isQueued = thread.offer(
      RenditionThread.Picture(
        frame: picture, time: time, request: running.owed, droppedBefore: running.dropped))
    guard isQueued else { return running.dropped += 1 }
    (running.dropped, running.owed) = (0, PictureRequest())
  }

  private func makeThread(_ running: Running) throws -> RenditionThread {
    try RenditionThread(
      running.encoder, frameDuration: frameDuration, to: running.rendition.destination, backlog: backlog)
  }

  /// Media time has stopped; reported once everything before is encoded.
  mutating func stop(at time: MediaTime) {
    let destination = destination
    let threads = running.compactMap(\.thread)
    guard !threads.isEmpty else { return destination.report(.stopped(.video)) }
    let count = StopCount(threads.count) { destination.report(.stopped(.video)) }
    stop(at: time, count)
  }

  private mutating func stop(at time: MediaTime, _ count: StopCount?) {
    for index in running.indices {
      running[index].thread?.stop(at: time, droppedBefore: running[index].dropped, count)
      running[index].dropped = 0
    }
  }

  private mutating func endAll(where isUnused: (Running) -> Bool) {
    let unused = running.filter(isUnused)
    guard unused.count < running.count else { return }
    running.removeAll(where: isUnused)
    for one in unused {
      one.thread?.close()
      one.rendition.destination.note("nobody uses this rendition any more; its encoder ends")
      ended += one.thread.map { [$0] } ?? []
    }
  }

  /// Encodes what is queued, and ends all.
  mutating func finish() throws {
    stop(at: end, nil)
    for one in running { one.thread?.close() }
    for thread in running.compactMap(\.thread) + ended { thread.join() }
    for one in running { try one.encoder.withLock { try $0.finish() } }
  }
}
