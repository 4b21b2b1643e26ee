internal import HoldfastBroadcasting

/// Where the picture comes from.
public enum VideoSelection: Sendable {
  /// The camera if there is one, else the test picture.
  case automatic
  case off
  /// By device file or identity; nil for the first one.
  case camera(String?)
  case testPicture
  case file(String)
  /// A source of the program's own.
  case source(any PictureSource)

  var inner: HoldfastBroadcasting.VideoSelection {
    switch self {
    case .automatic: .automatic
    case .off: .off
    case .camera(let name): .device(name)
    case .testPicture: .test
    case .file(let path): .file(path)
    case .source(let source): .supplied(PictureAdapter.supplied(source))
    }
  }
}

/// Where the sound comes from.
public enum AudioSelection: Sendable {
  /// The microphone if there is one, else the test tone.
  case automatic
  case off
  /// By ALSA's name or identity; nil for the first one.
  case microphone(String?)
  case testTone
  case file(String)
  /// A source of the program's own.
  case source(any SoundSource)

  var inner: HoldfastBroadcasting.AudioSelection {
    switch self {
    case .automatic: .automatic
    case .off: .off
    case .microphone(let name): .device(name)
    case .testTone: .test
    case .file(let path): .file(path)
    case .source(let source): .supplied(SoundAdapter.supplied(source))
    }
  }
}

// One object is one source.
extension VideoSelection: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.inner == other.inner }
  public func hash(into hasher: inout Hasher) { hasher.combine(inner) }
}

extension AudioSelection: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.inner == other.inner }
  public func hash(into hasher: inout Hasher) { hasher.combine(inner) }
}
