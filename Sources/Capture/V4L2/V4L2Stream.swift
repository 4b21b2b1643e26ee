internal import Glibc
internal import HoldfastCVideo4Linux
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// A camera that is set up, and its buffers. Device and memory live until the last picture has been given back.
final class V4L2Stream: Sendable {
  let choice: CameraChoice
  /// What the driver made of the choice.
  let picture: V4L2Device.PictureFormat
  let frameRate: FrameRate
  private let device: V4L2Device
  private let mappings: [V4L2Mapping]
  private let state = Locked(State())

  private struct State {
    var isStreaming = false
    /// The buffers that neither the driver nor we have: pictures on their way.
    var lent: Set<Int> = []
    /// Why a buffer couldn't be given back.
    var failure: SystemError?
  }

  /// One being filled, one waiting, the others for whoever holds pictures.
  private static let wantedBuffers: UInt32 = 12
  /// Cameras take their time to start.
  private static let firstPictureLimit = MediaTime.seconds(3)

  init(_ device: V4L2Device, _ choice: CameraChoice) throws(SystemError) {
    picture = try device.setFormat(choice.code, choice.format.size)
    frameRate = try device.setFrameRate(choice.format.frameRate) ?? choice.format.frameRate
    var buffers = v4l2_requestbuffers()
    buffers.count = Self.wantedBuffers
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
    let changed = format == choice.format ? "" : "; the driver made \(format) of it"
    let isTimed = mappings.allSatisfy(\.isTimed)
    return choice.reason + changed + (isTimed ? "; timed by the driver" : "; timed on arrival")
  }

  /// What became of a picture.
  enum Use {
    case used, unusable
    /// It was the last one wanted.
    case finished
  }

  /// Starts the camera, shows each picture to `use` with the number of those lost right before it, and stops the camera
  /// when `stop` is signalled or `use` has finished.
  func run(
    until stop: Wakeup, _ use: (V4L2Picture, _ lostBefore: Int) -> Use
  ) throws(CaptureError) {
    // Also after a failed start: it takes back the buffers that the driver has got by then.
    defer { finish() }
    var clock = CameraClock(start: .now)
    do {
      try start()
    } catch {
      throw CameraFailure.starting(path, error, others: CameraDescription.names)
    }
    var losses = CameraLosses()
    var limit = Self.firstPictureLimit
    var deadline = MonotonicTime.now + limit
    while try isReady(before: deadline, limit, stop) {
      switch try takePicture(&losses, &clock, use) {
      case .finished:
        return
      case .used:
        limit = silenceLimit
        deadline = .now + limit
      case .unusable:
        if MonotonicTime.now >= deadline { throw silence(limit) }
      case nil:
        // Ready, and yet nothing there: a driver in trouble, which is not to be asked without a pause.
        _ = stop.wait(until: .now + .milliseconds(10))
        if MonotonicTime.now >= deadline { throw silence(limit) }
      }
    }
  }

  /// How long a running camera may give nothing; slow ones get the time for three pictures.
  private var silenceLimit: MediaTime { max(.seconds(1), frameRate.time(ofFrame: 3)) }

  private func silence(_ limit: MediaTime) -> CaptureError {
    let seconds = (limit.seconds * 10).rounded() / 10
    let text = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return CameraFailure.lost(path, "no picture for \(text) s")
  }

  /// False once `stop` is signalled.
  private func isReady(
    before deadline: MonotonicTime, _ limit: MediaTime, _ stop: Wakeup
  ) throws(CaptureError) -> Bool {
    if let failure = state.withLock({ $0.failure }) { throw CameraFailure.lost(path, failure.description) }
    do {
      switch try stop.poll([device.descriptor], until: deadline) {
      case .signalled: return false
      case .ready: return true
      case .timedOut: break
      }
    } catch {
      throw CameraFailure.lost(path, error.description)
    }
    throw silence(limit)
  }

  /// Takes one picture from the driver and shows it; nil when there is none.
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
      throw CameraFailure.lost(path, "it gave a buffer that it hasn't")
    }
    let left = state.withLock { state in
      state.lent.insert(index)
      return mappings.count - state.lent.count
    }
    let picture = V4L2Picture(buffer, in: mappings[index].bytes, of: self, &clock)
    // A driver without a buffer reports an error, so the last ones stay with it, whoever holds the others.
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

  // The three below hold the lock while they talk to the driver: a buffer that comes back from another thread must find
  // the camera either running or stopped.

  private func start() throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      state.failure = nil
      for index in mappings.indices where !state.lent.contains(index) { try enqueue(index) }
      var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
      try device.request("VIDIOC_STREAMON", cv4l_VIDIOC_STREAMON, &type)
      state.isStreaming = true
    }
  }

  /// The driver drops every buffer it has; a camera that has gone can't be stopped any more, so errors say nothing new.
  private func finish() {
    state.withLock { state in
      state.isStreaming = false
      var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
      try? device.request("VIDIOC_STREAMOFF", cv4l_VIDIOC_STREAMOFF, &type)
    }
  }

  func giveBack(_ index: Int) {
    state.withLock { state in
      state.lent.remove(index)
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
