import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// Encodes a rendition on a thread of its own, while there are several: one that is too slow loses pictures of its own
/// and holds up no other.
final class RenditionThread: Sendable {
  struct Picture: ~Copyable, Sendable {
    let frame: Frame
    let time: MediaTime
    let request: PictureRequest
    /// Pictures that did not fit in the queue before this one.
    let droppedBefore: Int

    consuming func takeFrame() -> Frame { frame }
  }

  private enum Item: ~Copyable, Sendable {
    case picture(Picture)
    /// No picture follows for now, or what follows is for other users.
    case stop(at: MediaTime, droppedBefore: Int, then: @Sendable () -> Void)
  }

  /// Fewer than a camera has buffers.
  private static let maxWaiting = 6

  private let encoder: Locked<PictureEncoder>
  private let frameDuration: MediaTime
  private let destination: LaneDestination
  private let queue = BoundedQueue<Item>(capacity: maxWaiting + 2)
  private let waiting = Locked(0)
  private let isFinal = Locked(false)
  /// Of all renditions.
  private let backlog: Locked<Int>
  private let slot = ThreadSlot()
  private let fail: @Sendable (any Error) -> Void

  /// `hasEnded` is called when everything is encoded after `close`, `fail` for each picture that can't be.
  init(
    _ encoder: Locked<PictureEncoder>, frameDuration: MediaTime, to destination: LaneDestination,
    backlog: Locked<Int>, priority: ThreadPriority, fail: @escaping @Sendable (any Error) -> Void,
    hasEnded: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.fail = fail
    self.encoder = encoder
    self.frameDuration = frameDuration
    self.destination = destination
    self.backlog = backlog
    try slot.start(name: "encoder-\(destination.rendition)", priority: priority) { [self] in
      run()
      hasEnded()
    }
  }

  var isIdle: Bool { waiting.withLock { $0 } == 0 }

  /// False if the queue is full. Never blocks.
  func offer(_ picture: consuming Picture) -> Bool { offer(.picture(picture), leaving: 2) }

  /// Calls `then` once everything before is encoded, and what is missing of it is reported.
  func stop(at time: MediaTime, droppedBefore: Int, then: @escaping @Sendable () -> Void = {}) {
    if !offer(.stop(at: time, droppedBefore: droppedBefore, then: then), leaving: 0) { then() }
  }

  private func offer(_ item: consuming Item, leaving room: Int) -> Bool {
    count(1)
    let isQueued = queue.offer(item, leaving: room)
    if !isQueued { count(-1) }
    return isQueued
  }

  private func count(_ change: Int) {
    waiting.withLock { $0 += change }
    backlog.withLock { $0 += change }
  }

  /// Takes no further pictures; `join` waits for those it has, and `isFinal` also for those that its encoder holds.
  func close(isFinal: Bool = false) {
    self.isFinal.withLock { $0 = isFinal }
    queue.close()
  }
  func join() { slot.join() }

  private func run() {
    var losses = LossStretches()
    while let item = queue.take() {
      do {
        switch consume item {
        case .picture(let picture): try encode(picture, &losses)
        case .stop(let time, let dropped, let then):
          let over = losses.add(missing(dropped, before: time), at: time) + losses.end()
          report(over, losses)
          then()
        }
      } catch {
        fail(error)
        queue.close()
      }
      count(-1)
    }
    guard isFinal.withLock({ $0 }) else { return }
    do { try encoder.withLock { try $0.finish() } } catch { fail(error) }
  }

  private func encode(_ picture: consuming Picture, _ losses: inout LossStretches) throws {
    let (time, request, dropped) = (picture.time, picture.request, picture.droppedBefore)
    report(losses.add(missing(dropped, before: time), at: time), losses)
    var frame = Optional(picture.takeFrame())
    let behind = waiting.withLock { $0 } - 1
    try encoder.withLock { encoder in
      guard let frame = frame.take() else { return }
      try encoder.encode(frame, at: time, request, waiting: behind, dropped: dropped)
    }
  }

  private func report(_ over: [TrackLoss], _ losses: LossStretches) {
    destination.report(lost: over)
    destination.show(losses.lasting, DeviceOutage(track: .video))
  }

  /// The pictures that the rendition lacks before `time`, because its encoder was too slow.
  private func missing(_ pictures: Int, before time: MediaTime) -> [TrackLoss] {
    guard pictures > 0 else { return [] }
    let duration = MediaTime(nanoseconds: frameDuration.nanoseconds * Int64(pictures))
    return [
      TrackLoss(
        track: .video, cause: .encoderTooSlow, mediaAt: max(.zero, time - duration), duration: duration,
        pictures: pictures)
    ]
  }
}
