import HoldfastBroadcasting
import HoldfastCapture
import HoldfastMediaSources

/// The source of the picture.
public struct VideoSelection: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastBroadcasting.VideoSelection

  /// No picture.
  public static let off = VideoSelection(inner: .off)
  /// A moving test picture.
  public static let testPicture = VideoSelection(inner: .test)

  /// A camera by device path or identity; nil for the first one.
  public static func camera(_ device: String? = nil) -> Self { Self(inner: .device(device)) }

  /// The connected cameras: the device path for `camera(_:)`, and the name. Each of them is opened briefly.
  public static func cameras() async -> [(device: String, name: String)] {
    (try? await onThread("devices") { CameraDescription.names() })?.map { ($0.path, $0.name) } ?? []
  }

  /// The video track of a file, in real time.
  public static func file(_ path: String) -> Self { Self(inner: .file(path)) }

  /// A network source by its rtmp, rtmps, rtsp, rtsps, srt, http or https address; nil if that is wrong. While it is
  /// lost, the broadcast goes on without it.
  public static func network(_ address: String) -> Self? {
    (try? SourceAddress(address)).map { Self(inner: .network($0)) }
  }

  /// The X screen of a display such as `:0`, with its pointer; nil for that of `$DISPLAY`.
  public static func screen(_ display: String? = nil) -> Self {
    Self(inner: .screen(ScreenSelection(display: display)))
  }

  /// A source implemented by the program. Each object is a separate source.
  public static func source(_ source: any PictureSource) -> Self {
    Self(inner: .supplied(Supplied(PictureAdapter(source: source), of: source, name: source.name)))
  }

  /// The selection as text, such as `camera:/dev/video0`; the name of the source in events.
  public var description: String { inner.description }
}

/// The source of the sound.
public struct AudioSelection: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastBroadcasting.AudioSelection

  /// No sound.
  public static let off = AudioSelection(inner: .off)
  /// A test tone.
  public static let testTone = AudioSelection(inner: .test)

  /// A microphone by ALSA name or identity; nil for the first one.
  public static func microphone(_ device: String? = nil) -> Self { Self(inner: .device(device)) }

  /// The connected microphones: the ALSA name for `microphone(_:)`, and the name.
  public static func microphones() async -> [(device: String, name: String)] {
    (try? await onThread("devices") { MicrophoneDescription.all() })?.map { ($0.pcm, $0.name) } ?? []
  }

  /// The audio track of a file, in real time.
  public static func file(_ path: String) -> Self { Self(inner: .file(path)) }

  /// A network source by its rtmp, rtmps, rtsp, rtsps, srt, http or https address; nil if that is wrong. While it is
  /// lost, the broadcast goes on without it.
  public static func network(_ address: String) -> Self? {
    (try? SourceAddress(address)).map { Self(inner: .network($0)) }
  }

  /// A source implemented by the program. Each object is a separate source.
  public static func source(_ source: any SoundSource) -> Self {
    Self(inner: .supplied(Supplied(SoundAdapter(source: source), of: source, name: source.name)))
  }

  /// The selection as text, such as `mic:hw:1,0`; the name of the source in events.
  public var description: String { inner.description }
}
