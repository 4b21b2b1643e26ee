import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
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

    /// Calls `then` once all before `time` is encoded, and what is missing of it is reported.
    mutating func stop(at time: MediaTime, then: @escaping @Sendable () -> Void = {}) {
      guard let thread else { return then() }
      thread.stop(at: time, droppedBefore: dropped, then: then)
      dropped = 0
    }
  }

  private let settings: PictureEncoding.Settings
  private let source: VideoProperties
  private let frameDuration: MediaTime
  private let destination: LaneDestination
  private let backlog: Locked<Int>
  private let switches: [String: OutputSwitch]
  private let viewed: @Sendable (RenditionID) -> LaneRendition?
  private let shown: Locked<[LaneRendition]>
  private var keyframes: KeyframeInterval
  private var running: [Running] = []
  /// No longer used; they end by themselves, but may take their time.
  private var ended: [RenditionThread] = []
  /// Encodes that are being opened.
  private var opening: [RenditionID: OpeningEncode] = [:]
  /// No longer wanted, before they were open.
  private var abandoned: [OpeningEncode] = []
  /// Outputs that share again from the next keyframe on.
  private var returning: Set<String> = []
  /// Of the last picture.
  private var end = MediaTime.zero

  init(_ encoding: PictureEncoding) throws {
    let (settings, source) = (encoding.settings, encoding.properties)
    let rate = settings.frameRate(of: source)
    (self.settings, self.source, frameDuration) = (settings, source, rate.frameDuration)
    (destination, backlog) = (encoding.destination, encoding.backlog)
    (switches, viewed, shown) = (encoding.switches, encoding.viewed, encoding.renditions)
    keyframes = KeyframeInterval(
      pictures: VideoEncoder.Settings.pictures(in: settings.keyframeInterval, at: rate))
    running = try shown.withLock { $0 }.map {
      Running(rendition: $0, encoder: Locked(try PictureEncoder($0, settings, of: source)))
    }
  }

  /// Encodes a picture at media time `time`; `waiting` and `dropped` are those of the lane.
  mutating func encode(
    _ picture: consuming Frame, at time: MediaTime, _ requested: EncoderRequests.Requested, waiting: Int,
    dropped: Int
  ) throws {
    end = time + frameDuration
    if let inUse = requested.inUse { use(inUse, at: time) }
    let isKeyframe = keyframes.next(isRequested: requested.keyframe)
    for (output, bitrate) in requested.owns {
      if let bitrate { begin(output, bitrate) } else { endOwn(output) }
    }
    takeOpened(at: time)
    if isKeyframe { for output in returning { share(output, from: time) } }
    for index in running.indices {
      if isKeyframe { running[index].owed.isKeyframeForced = true }
      if let change = requested.bitrates[running[index].id] { running[index].owed.bitrate = change }
    }
    if running.count == 1, returnsToLane(&running[0], at: time) {
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
  private func returnsToLane(_ only: inout Running, at time: MediaTime) -> Bool {
    guard let thread = only.thread else { return true }
    guard thread.isIdle else { return false }
    only.stop(at: time)
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

  /// What others share comes first, and waits for nothing that is encoded for one output or for viewers.
  private func makeThread(_ running: Running) throws -> RenditionThread {
    let (id, destination) = (running.id, running.rendition.destination)
    let isForViewers = running.rendition.planned.isForViewers
    let change: OutputSwitch? = if case .own(let output) = id { switches[output] } else { nil }
    let isShared = !isForViewers && change == nil
    return try RenditionThread(
      running.encoder, frameDuration: frameDuration, to: destination,
      backlog: isForViewers ? Locked(0) : backlog, priority: isShared ? .picture : .usual,
      fail: { error in
        destination.report(
          isShared ? .encodingFailed(.video, "\(id): \(error)") : .encodeFailed(id, why: "\(error)"))
      }, hasEnded: { change?.packets.end(of: id) })
  }

  /// Media time has stopped; reported once everything before is encoded.
  mutating func stop(at time: MediaTime) {
    let destination = destination
    let count = Countdown(running.count) { destination.report(.stopped(.video)) }
    for index in running.indices {
      let isAwaited = !running[index].rendition.planned.isForViewers
      running[index].stop(at: time) { if isAwaited { count.arrive() } }
      if !isAwaited { count.arrive() }
    }
  }

  private mutating func use(_ renditions: Set<RenditionID>, at time: MediaTime) {
    for one in running where !one.id.isOwn && !renditions.contains(one.id) {
      guard running.count > 1 else { break }
      end(one.id, at: time)
      one.rendition.destination.note("nobody uses this rendition any more; its encoder ends")
    }
    for id in opening.keys where !id.isOwn && !renditions.contains(id) { abandon(id) }
    for id in renditions where opening[id] == nil && !running.contains(where: { $0.id == id }) {
      guard let rendition = viewed(id) else { continue }
      do {
        opening[id] = try OpeningEncode(rendition, settings, of: source)
      } catch {
        destination.report(.encodeFailed(id, why: "\(error)"))
      }
    }
  }

  private mutating func abandon(_ id: RenditionID) {
    guard let encode = opening.removeValue(forKey: id) else { return }
    abandoned.append(encode)
    encode.rendition.ended()
  }

  private mutating func end(_ id: RenditionID, at time: MediaTime) {
    guard let index = running.firstIndex(where: { $0.id == id }) else { return }
    var one = running.remove(at: index)
    one.stop(at: time)
    shown.withLock { $0.removeAll { $0.planned.id == id } }
    one.thread?.close(isFinal: true)
    one.rendition.ended()
    for thread in ended where thread.isIdle { thread.join() }
    ended = ended.filter { !$0.isIdle } + (one.thread.map { [$0] } ?? [])
  }

  /// Encodes what is queued, and ends all.
  mutating func finish() throws {
    for index in running.indices { running[index].stop(at: end) }
    for one in abandoned + opening.values { one.join() }
    for one in running { one.thread?.close() }
    for thread in running.compactMap(\.thread) + ended { thread.join() }
    for one in running { try one.encoder.withLock { try $0.finish() } }
  }
}

// MARK: - Encodes that begin while others run

extension Renditions {
  private mutating func takeOpened(at time: MediaTime) {
    abandoned.removeAll { own in
      guard own.take() != nil else { return false }
      own.join()
      return true
    }
    for (id, encode) in opening {
      guard let result = encode.take() else { continue }
      encode.join()
      opening[id] = nil
      take(encode.rendition, result, at: time)
    }
  }

  /// It begins with the picture at `time`.
  private mutating func take(
    _ rendition: LaneRendition, _ result: Result<Locked<PictureEncoder>, any Error>, at time: MediaTime
  ) {
    let id = rendition.planned.id
    do {
      var new = Running(rendition: rendition, encoder: try result.get())
      new.thread = try makeThread(new)
      running.append(new)
      shown.withLock { $0.append(rendition) }
      if case .own(let output) = id, let change = switches[output] {
        perform(change, toOwn: true, from: time)
      }
    } catch {
      rendition.ended()
      destination.report(.encodeFailed(id, why: "\(error)"))
    }
  }

  private mutating func begin(_ output: String, _ bitrate: Int) {
    guard let change = switches[output] else { return }
    returning.remove(output)
    let isThere = running.contains { $0.id == change.id } || opening[change.id] != nil
    guard !isThere else { return }
    do {
      opening[change.id] = try OpeningEncode(
        change.rendition(at: bitrate), settings, of: source,
        replacing: change.shared.destination.meters.videoTrack)
    } catch {
      destination.report(.encodeFailed(change.id, why: "\(error)"))
    }
  }

  private mutating func endOwn(_ output: String) {
    let id = RenditionID.own(output: output)
    if opening[id] != nil { abandon(id) } else { returning.insert(output) }
  }

  private mutating func share(_ output: String, from time: MediaTime) {
    returning.remove(output)
    guard let change = switches[output], running.contains(where: { $0.id == change.id }) else { return }
    perform(change, toOwn: false, from: time)
    end(change.id, at: time)
  }

  private mutating func perform(_ change: OutputSwitch, toOwn isOwn: Bool, from time: MediaTime) {
    change.change(toOwn: isOwn, from: time)
    guard let index = running.firstIndex(where: { $0.id == change.shared.planned.id }) else { return }
    running[index].stop(at: time) { change.setShares(!isOwn) }
  }
}

/// An encode that is being opened on a thread of its own, as that takes longer than a picture may.
final class OpeningEncode: Sendable {
  let rendition: LaneRendition
  private let encoder = Promise<Result<Locked<PictureEncoder>, any Error>>()
  private let slot = ThreadSlot()

  /// With a `track`, whose place its packets take.
  init(
    _ rendition: LaneRendition, _ settings: PictureEncoding.Settings, of source: VideoProperties,
    replacing track: Track? = nil
  ) throws(SystemError) {
    self.rendition = rendition
    try slot.start(name: "\(rendition.planned.id)") { [encoder] in
      encoder.fulfil(Result { Locked(try PictureEncoder(rendition, settings, of: source, replacing: track)) })
    }
  }

  /// Nil while it is not open.
  func take() -> Result<Locked<PictureEncoder>, any Error>? { encoder.take(until: .now) }

  func join() { slot.join() }
}
