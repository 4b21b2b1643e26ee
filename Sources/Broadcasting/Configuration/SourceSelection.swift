package import HoldfastCapture

package typealias VideoSelection = SourceSelection<PictureMedium>
package typealias AudioSelection = SourceSelection<SoundMedium>

/// Where a track comes from.
package enum SourceSelection<Medium: SelectableMedium>: Hashable, Sendable {
  /// The device if there is one, else the test signal.
  case automatic
  case off
  /// By device file, ALSA's name or identity; nil for the first one.
  case device(String?)
  case test
  case file(String)
  case supplied(Supplied<Medium.Source>)

  /// Reads `auto`, `off`, `camera`, `camera:DEVICE`, `test` or `file:PATH`; for sound `mic` and `tone`. The place may hold
  /// further colons.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count == 2 ? String(parts[1]) : nil) {
    case (_, ""): return nil
    case ("auto", nil): self = .automatic
    case ("off", nil): self = .off
    case (Medium.device, let device): self = .device(device)
    case (Medium.testSignal, nil): self = .test
    case ("file", .some(let path)): self = .file(path)
    case (_, _): return nil
    }
  }

  package var isFile: Bool {
    switch self {
    case .file: true
    case .automatic, .off, .device, .test, .supplied: false
    }
  }

  /// Gives no encoded packets, so that there is nothing to copy.
  var isAlwaysRaw: Bool {
    switch self {
    case .test, .supplied: true
    case .automatic, .off, .device, .file: false
    }
  }
}

extension SourceSelection: CustomStringConvertible {
  package var description: String {
    switch self {
    case .automatic: "auto"
    case .off: "off"
    case .device(nil): "\(Medium.device)"
    case .device(.some(let device)): "\(Medium.device):\(device)"
    case .test: "\(Medium.testSignal)"
    case .file(let path): "file:\(path)"
    case .supplied(let source): "supplied:\(source.name)"
    }
  }
}

/// What a track is made of, and what its sources are called in writing.
package protocol SelectableMedium: SendableMetatype {
  /// What a program supplies.
  associatedtype Source: Sendable
  static var device: Substring { get }
  static var testSignal: Substring { get }
}

package enum PictureMedium: SelectableMedium {
  package typealias Source = any VideoSource
  package static var device: Substring { "camera" }
  package static var testSignal: Substring { "test" }
}

package enum SoundMedium: SelectableMedium {
  package typealias Source = any AudioSource
  package static var device: Substring { "mic" }
  package static var testSignal: Substring { "tone" }
}

/// What a program supplies: a source that is captured like a device, or a receiver of packets. A source's `run` is called
/// on a thread of ours once it is opened, and again after it has returned or thrown while nobody asked it to stop.
package struct Supplied<Value: Sendable>: Hashable, Sendable {
  package let name: String
  let value: Value
  private let identity: ObjectIdentifier

  /// Equal to all that were made of the same `object`.
  package init(_ value: Value, of object: AnyObject, name: String) {
    self.name = name
    self.value = value
    identity = ObjectIdentifier(object)
  }

  package static func == (one: Self, other: Self) -> Bool { one.identity == other.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
