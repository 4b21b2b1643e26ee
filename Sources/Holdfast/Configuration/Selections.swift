internal import HoldfastBroadcasting

/// Where the picture comes from.
public struct VideoSelection: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastBroadcasting.VideoSelection

  /// The camera if there is one, else the test picture.
  public static let automatic = VideoSelection(inner: .automatic)
  public static let off = VideoSelection(inner: .off)
  public static let testPicture = VideoSelection(inner: .test)

  /// A camera by device file or identity; nil for the first one.
  public static func camera(_ device: String? = nil) -> Self { Self(inner: .device(device)) }

  /// The pictures of a file, in real time.
  public static func file(_ path: String) -> Self { Self(inner: .file(path)) }

  /// A source of the program's own. One object is one source.
  public static func source(_ source: any PictureSource) -> Self {
    Self(inner: .supplied(Supplied(PictureAdapter(source: source), of: source, name: source.name)))
  }

  /// As `holdfast publish --video` takes it: `camera:/dev/video0`.
  public var description: String { inner.description }
}

/// Where the sound comes from.
public struct AudioSelection: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastBroadcasting.AudioSelection

  /// The microphone if there is one, else the test tone.
  public static let automatic = AudioSelection(inner: .automatic)
  public static let off = AudioSelection(inner: .off)
  public static let testTone = AudioSelection(inner: .test)

  /// A microphone by ALSA's name or identity; nil for the first one.
  public static func microphone(_ device: String? = nil) -> Self { Self(inner: .device(device)) }

  /// The sound of a file, in real time.
  public static func file(_ path: String) -> Self { Self(inner: .file(path)) }

  /// A source of the program's own. One object is one source.
  public static func source(_ source: any SoundSource) -> Self {
    Self(inner: .supplied(Supplied(SoundAdapter(source: source), of: source, name: source.name)))
  }

  /// As `holdfast publish --audio` takes it: `mic:hw:1,0`.
  public var description: String { inner.description }
}
