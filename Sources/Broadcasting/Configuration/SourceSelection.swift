package import HoldfastCapture
package import HoldfastMediaModel
package import HoldfastMediaSources

package typealias VideoSelection = SourceSelection<PictureMedium>
package typealias AudioSelection = SourceSelection<SoundMedium>

package enum SourceSelection<Medium: SelectableMedium>: Hashable, Sendable, CustomStringConvertible {
  case off
  /// By device file, ALSA name or identity; nil for the first device.
  case device(String?)
  case test
  case file(String)
  case network(SourceAddress)
  /// Of a picture only.
  case screen(ScreenSelection)
  case supplied(Supplied<Medium.Source>)
  /// Composed of the configured tiles.
  case grid
  /// Composed of the members on a session's stage, by its address.
  case stage(String)

  /// Parses `off`, `grid`, `stage:ADDRESS`, `camera`, `camera:DEVICE`, `test`, `file:PATH`, `screen:DISPLAY+AREA` or an
  /// address; for sound `mic` and `tone`. DEVICE and PATH may contain colons.
  package init?(_ text: String) {
    if Self.isAddress(text) {
      guard let address = try? SourceAddress(text) else { return nil }
      self = .network(address)
      return
    }
    if Medium.hasScreen, let screen = ScreenSelection(text) {
      self = .screen(screen)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count == 2 ? String(parts[1]) : nil) {
    case (_, ""): return nil
    case ("off", nil): self = .off
    case ("grid", nil): self = .grid
    case ("stage", .some(let session)): self = .stage(session)
    case (Medium.device, let device): self = .device(device)
    case (Medium.testSignal, nil): self = .test
    case ("file", .some(let path)): self = .file(path)
    case (_, _): return nil
    }
  }

  private static func isAddress(_ text: String) -> Bool {
    text.contains("://") && !["file:", "stage:", "\(Medium.device):"].contains { text.hasPrefix($0) }
  }

  /// What is wrong with the address of a network source; nil if `text` is none, or a right one.
  package static func problem(ofAddress text: String) -> InvalidValue? {
    guard isAddress(text) else { return nil }
    do throws(InvalidValue) {
      _ = try SourceAddress(text)
      return nil
    } catch {
      return error
    }
  }

  package var isFile: Bool { if case .file = self { true } else { false } }
  package var isNetwork: Bool { address != nil }
  var isScreen: Bool { if case .screen = self { true } else { false } }
  var address: SourceAddress? { if case .network(let address) = self { address } else { nil } }
  /// The session's address.
  package var stage: String? { if case .stage(let session) = self { session } else { nil } }

  /// Never delivers encoded packets, so `EncoderChoice.copy` can't be used.
  var isAlwaysRaw: Bool {
    switch self {
    case .test, .screen, .supplied, .grid, .stage: true
    case .off, .device, .file, .network: false
    }
  }

  /// Without keys and passwords.
  package var description: String {
    switch self {
    case .off: "off"
    case .device(nil): "\(Medium.device)"
    case .device(.some(let device)): "\(Medium.device):\(device)"
    case .test: "\(Medium.testSignal)"
    case .file(let path): "file:\(path)"
    case .network(let address): address.redacted
    case .screen(let screen): "\(screen)"
    case .supplied(let source): "supplied:\(source.name)"
    case .grid: "grid"
    case .stage(let session): "stage:\(session)"
    }
  }
}

extension Configuration {
  package mutating func useTestSignalsForMissingDevices() {
    if KnownDevice.first(.video) == nil { video.source = .test }
    if KnownDevice.first(.audio) == nil { audio.source = .test }
  }
}

/// A kind of track, with the names of its sources.
package protocol SelectableMedium: SendableMetatype {
  /// The source type that an application can supply.
  associatedtype Source: Sendable
  static var device: Substring { get }
  static var testSignal: Substring { get }
  static var hasScreen: Bool { get }
}

package enum PictureMedium: SelectableMedium {
  package typealias Source = any VideoSource
  package static var device: Substring { "camera" }
  package static var testSignal: Substring { "test" }
  package static var hasScreen: Bool { true }
}

package enum SoundMedium: SelectableMedium {
  package typealias Source = any AudioSource
  package static var device: Substring { "mic" }
  package static var testSignal: Substring { "tone" }
  package static var hasScreen: Bool { false }
}

/// A source or packet receiver supplied by the application, compared by identity. A source's `run` is called
/// on our thread, and again after it returns or throws without having been stopped.
package struct Supplied<Value: Sendable>: Hashable, Sendable {
  package let name: String
  let value: Value
  private let identity: ObjectIdentifier

  package init(_ value: Value, of object: AnyObject, name: String) {
    self.name = name
    self.value = value
    identity = ObjectIdentifier(object)
  }

  package static func == (one: Self, other: Self) -> Bool { one.identity == other.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
