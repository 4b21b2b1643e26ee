import HoldfastBroadcasting
import HoldfastCommands
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPublishing

/// A step of a check that has a title for people.
protocol TitledStep: RawRepresentable<String>, Hashable, Sendable {
  var title: String { get }
}

extension ServerCheck.Step: TitledStep {
  var title: String {
    switch self {
    case .name, .connection, .handshake, .publish, .upload: rawValue
    case .tls: "TLS"
    case .roundTrip: "round trip"
    }
  }
}

extension SourceCheck.Step: TitledStep {
  var title: String {
    switch self {
    case .connection, .picture, .sound, .bitrate, .keyframes, .jitter, .clock, .copy: rawValue
    case .packet: "first packet"
    case .keyframe: "first keyframe"
    }
  }
}

extension CheckResult where Step: TitledStep {
  /// `✓ connection    12 ms  127.0.0.1:1935`
  func row(titleWidth: Int, hint: String) -> String {
    let mark =
      switch outcome {
      case .passed: "✓"
      case .failed: "✗"
      case .skipped: "·"
      }
    let figure = bitsPerSecond.map(Figures.rate) ?? took.map { "\(($0.milliseconds * 10).rounded() / 10) ms" }
    let row = "\(mark) \(step.title.padded(to: titleWidth)) \((figure ?? "").padded(to: 12)) \(detail)\(hint)"
    return row + (warning.map { "\n! \($0)" } ?? "")
  }

  var json: JSONValue {
    [
      "step": .text(step.rawValue), "outcome": .text(outcome.rawValue),
      "ms": took.map { .number($0.milliseconds) } ?? .null,
      "bps": bitsPerSecond.map { .integer(Int64($0)) } ?? .null,
      "detail": .text(detail), "warning": JSONValue(warning),
    ]
  }
}
