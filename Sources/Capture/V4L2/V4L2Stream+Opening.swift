internal import HoldfastMediaModel
internal import HoldfastPlatform

extension V4L2Stream {
  /// Opens the camera at `path` and sets it to what comes nearest to `wanted`.
  static func open(
    path: String, wanted: VideoFormat, forCopy: Bool
  ) throws(CaptureError) -> V4L2Stream {
    let device = try V4L2Device.open(camera: path)
    let modes = try CameraDescription(device, ratesAt: wanted.size).modes
    let choice: CameraChoice
    do {
      choice = try CameraNegotiation.choose(from: modes, wanted: wanted, forCopy: forCopy)
    } catch {
      throw CameraFailure.unsuitable(path, error.description, hint: error.hint)
    }
    let stream: V4L2Stream
    do {
      stream = try V4L2Stream(device, choice)
    } catch {
      throw CameraFailure.starting(path, error, others: CameraDescription.names)
    }
    guard stream.picture.code == choice.code else {
      throw CameraFailure.unsuitable(
        path, "it lists \(choice.code) and gives \(stream.picture.code)", hint: "use another camera")
    }
    return stream
  }

  /// Lets the camera run until `isEnough`: for what only its pictures tell. Bounded as the wait for a first picture is.
  func runBriefly(_ isEnough: (V4L2Picture) -> Bool) throws(CaptureError) {
    let never: Wakeup
    do {
      never = try Wakeup()
    } catch {
      throw CameraFailure.opening(path, error, others: CameraDescription.names)
    }
    try run(until: never) { picture, _ in isEnough(picture) ? .finished : .unusable }
  }
}
