internal import Capture
internal import FFmpeg
internal import MediaModel

/// Opens what the configuration names, and where it names nothing, what is there.
struct SourceOpening {
  enum Video {
    case pictures(any VideoSource)
    case packets(any PacketSource)
  }

  let configuration: Configuration
  let fileClock = FileClock()

  private var wanted: VideoFormat {
    VideoFormat(size: configuration.size, frameRate: configuration.frameRate)
  }

  func openVideo(_ note: (String) -> Void) throws(CaptureError) -> Video? {
    switch configuration.video {
    case .off: return nil
    case .test: return .pictures(TestPicture(format: wanted))
    case .file(let path): return try openFile(path)
    case .camera(let name): return try openCamera(cameraPath(name))
    case .automatic:
      guard let camera = CameraDescription.all().first else {
        guard configuration.encoder != .copy else { throw Self.noCamera }
        note("there is no camera: the test picture goes on air instead")
        return .pictures(TestPicture(format: wanted))
      }
      return try openCamera(camera.path)
    }
  }

  func openAudio(_ note: (String) -> Void) throws(CaptureError) -> (any AudioSource)? {
    switch configuration.audio {
    case .off: return nil
    case .tone: return TestTone(format: Configuration.audioFormat)
    case .file(let path): return try FileSound(path: path, isLooped: configuration.loop, clock: fileClock)
    case .microphone(let name):
      return try Microphone(pcm: microphonePCM(name), wanted: Configuration.audioFormat)
    case .automatic:
      guard let pcm = firstMicrophone else {
        note("there is no microphone: the test tone goes on air instead")
        return TestTone(format: Configuration.audioFormat)
      }
      return try Microphone(pcm: pcm, wanted: Configuration.audioFormat)
    }
  }

  private func openCamera(_ path: String) throws(CaptureError) -> Video {
    configuration.encoder == .copy
      ? .packets(try CameraPackets(path: path, wanted: wanted))
      : .pictures(try Camera(path: path, wanted: wanted))
  }

  private func openFile(_ path: String) throws(CaptureError) -> Video {
    configuration.encoder == .copy
      ? .packets(try FilePackets(path: path, isLooped: configuration.loop, clock: fileClock))
      : .pictures(try FilePictures(path: path, isLooped: configuration.loop, clock: fileClock))
  }

  /// A device file as it is, anything else as an identity.
  private func cameraPath(_ name: String?) throws(CaptureError) -> String {
    guard let name else {
      guard let first = CameraDescription.all().first else { throw Self.noCamera }
      return first.path
    }
    return name.hasPrefix("/dev/") ? name : DeviceIdentity.videoPath(matching: name) ?? name
  }

  private static let noCamera = CaptureError(
    .notFound, .video, device: "camera", what: "there is no camera at all",
    hint: "--video test gives a test picture")

  private func microphonePCM(_ name: String?) throws(CaptureError) -> String {
    if let name { return DeviceIdentity.pcm(matching: name) ?? name }
    guard let first = firstMicrophone else {
      throw CaptureError(
        .notFound, .audio, device: "mic", what: "there is no microphone at all",
        hint: "--audio tone gives a test tone")
    }
    return first
  }

  /// What a sound server offers comes before the bare device, which the server holds.
  private var firstMicrophone: String? {
    Microphone.defaultExists ? "default" : MicrophoneDescription.all().first?.pcm
  }
}
