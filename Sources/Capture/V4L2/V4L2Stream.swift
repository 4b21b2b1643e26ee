import Glibc
import HoldfastCVideo4Linux
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// A camera in its mode, with its buffers; alive until the last picture has been returned.
final class V4L2Stream: Sendable {
  let choice: CameraChoice
  let picture: V4L2Device.PictureFormat
  let frameRate: FrameRate
  private let device: V4L2Device
  private let mappings: [V4L2Mapping]
  private let state = Locked(State())

  private struct State {
    var isStreaming = false
    var inUse: Set<Int> = []
    /// Why a buffer could not be returned to the driver.
    var failure: SystemError?
  }

  /// One filling, one queued, and the others for pictures in use.
  private static let bufferCount: UInt32 = 12
  private static let firstPictureTimeout = MediaTime.seconds(3)

  init(_ device: V4L2Device, _ choice: CameraChoice) throws(SystemError) {
    picture = try device.setFormat(choice.code, choice.format.size)
    frameRate = try device.setFrameRate(choice.format.frameRate) ?? choice.format.frameRate
    var buffers = v4l2_requestbuffers()
    buffers.count = Self.bufferCount
    buffers.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffers.memory = V4L2_MEMORY_MMAP.rawValue
    try device.request("VIDIOC_REQBUFS", cv4l_VIDIOC_REQBUFS, &buffers)
    guard buffers.count >= 2 else { throw SystemError(operation: "VIDIOC_REQBUFS", code: ENOMEM) }
    var mappings: [V4L2Mapping] = []
    for index in 0..<Int(buffers.count) { mappings.append(try V4L2Mapping(device, index: index)) }
    self.mappings = mappings
    self.device = device
    self.choice = choice
  }

  var path: String { device.path }
  var format: VideoFormat { VideoFormat(size: picture.size, frameRate: frameRate) }

  var summary: String {
    let changed = format == choice.format ? "" : "; the driver changed it to \(format)"
    let isTimed = mappings.allSatisfy(\.isTimed)
    return choice.reason + changed + (isTimed ? "; timed by the driver" : "; timed on arrival")
  }

  enum Use { case used, unusable, finished }

  /// Captures pictures until `stop` is signalled or `use` returns `finished`; `lostBefore` counts the
  /// pictures lost right before one.
  func run(until stop: Wakeup, _ use: (V4L2Picture, _ lostBefore: Int) -> Use) throws(CaptureError) {
    // Also after a failed start, as the driver may hold buffers by then.
    defer { finish() }
    var clock = CameraClock(start: .now)
    try mapError(start()) { (error: SystemError) in CameraFailure.starting(path, error) }
    var losses = CameraLosses()
    var limit = Self.firstPictureTimeout
    var deadline = MonotonicTime.now + limit
    while try isReady(before: deadline, limit, stop) {
      switch try takePicture(&losses, &clock, use) {
      case .finished: return
      case .used:
        limit = silenceTimeout
        deadline = .now + limit
      case .unusable:
        if MonotonicTime.now >= deadline { throw silence(limit) }
      case nil:
        // The driver was ready but has no picture: pause before the next attempt.
        _ = stop.wait(until: .now + .milliseconds(10))
        if MonotonicTime.now >= deadline { throw silence(limit) }
      }
    }
  }

  /// The longest time between pictures of a running camera.
  private var silenceTimeout: MediaTime { max(.seconds(1), frameRate.time(ofFrame: 3)) }

  private func silence(_ limit: MediaTime) -> CaptureError {
    let seconds = (limit.seconds * 10).rounded() / 10
    let text = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return CameraFailure.lost(path, "no picture for \(text) s")
  }

  private func isReady(
    before deadline: MonotonicTime, _ limit: MediaTime, _ stop: Wakeup
  ) throws(CaptureError) -> Bool {
    if let failure = state.withLock({ $0.failure }) { throw CameraFailure.lost(path, failure.description) }
    let outcome = try mapError(stop.poll([device.descriptor], until: deadline)) { (error: SystemError) in
      CameraFailure.lost(path, error.description)
    }
    switch outcome {
    case .signalled: return false
    case .ready: return true
    case .timedOut: throw silence(limit)
    }
  }

  /// Dequeues a picture and passes it to `use`; nil if there is none.
  private func takePicture(
    _ losses: inout CameraLosses, _ clock: inout CameraClock,
    _ use: (V4L2Picture, _ lostBefore: Int) -> Use
  ) throws(CaptureError) -> Use? {
    var buffer = v4l2_buffer(index: 0)
    do {
      try device.request("VIDIOC_DQBUF", cv4l_VIDIOC_DQBUF, &buffer)
    } catch  where error.code == EAGAIN {
      return nil
    } catch {
      throw CameraFailure.lost(path, error.description)
    }
    let index = Int(buffer.index)
    guard mappings.indices.contains(index) else {
      throw CameraFailure.lost(path, "the driver returned an unknown buffer")
    }
    let left = state.withLock { state in
      state.inUse.insert(index)
      return mappings.count - state.inUse.count
    }
    let picture = V4L2Picture(buffer, in: mappings[index].bytes, of: self, &clock)
    // The driver keeps the last two buffers, as it reports an error without any.
    if left < min(2, mappings.count - 1) {
      losses.leaveOut()
      return .used
    }
    let outcome = picture.isWhole ? use(picture, losses.before(picture.sequence)) : .unusable
    switch outcome {
    case .used, .finished: losses.use(picture.sequence)
    case .unusable: losses.leaveOut()
    }
    return outcome
  }

  // The following methods hold the lock during driver calls, so that a buffer is returned to a camera that is
  // either running or stopped.

  private func start() throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      state.failure = nil
      for index in mappings.indices where !state.inUse.contains(index) { try enqueue(index) }
      var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
      try device.request("VIDIOC_STREAMON", cv4l_VIDIOC_STREAMON, &type)
      state.isStreaming = true
    }
  }

  /// Stops the camera; ignores errors, as it may be unplugged.
  private func finish() {
    state.withLock { state in
      state.isStreaming = false
      var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
      try? device.request("VIDIOC_STREAMOFF", cv4l_VIDIOC_STREAMOFF, &type)
    }
  }

  func requeue(_ index: Int) {
    state.withLock { state in
      state.inUse.remove(index)
      guard state.isStreaming else { return }
      do throws(SystemError) {
        try enqueue(index)
      } catch {
        state.failure = error
      }
    }
  }

  private func enqueue(_ index: Int) throws(SystemError) {
    var buffer = v4l2_buffer(index: index)
    try device.request("VIDIOC_QBUF", cv4l_VIDIOC_QBUF, &buffer)
  }
}

extension V4L2Stream {
  static func open(path: String, requested: VideoFormat, forCopy: Bool) throws(CaptureError) -> V4L2Stream {
    let device = try V4L2Device.open(camera: path)
    let formats = try mapError(device.formats(for: requested.size)) { (error: SystemError) in
      CameraFailure.opening(path, error)
    }
    let choice = try mapError(
      CameraNegotiation.choose(from: formats, requested: requested, forCopy: forCopy)
    ) { (error: CameraRefusal) in CameraFailure.unsuitable(path, error.description, hint: error.hint) }
    let stream = try mapError(V4L2Stream(device, choice)) { (error: SystemError) in
      CameraFailure.starting(path, error)
    }
    guard stream.picture.code == choice.code else {
      throw CameraFailure.unsuitable(
        path, "it lists \(choice.code) but delivers \(stream.picture.code)", hint: "choose another camera")
    }
    return stream
  }

  /// Runs the camera until `isEnough` returns true, at most for the first picture's timeout.
  func runBriefly(_ isEnough: (V4L2Picture) -> Bool) throws(CaptureError) {
    let never = try mapError(Wakeup()) { (error: SystemError) in CameraFailure.opening(path, error) }
    try run(until: never) { picture, _ in isEnough(picture) ? .finished : .unusable }
  }
}
