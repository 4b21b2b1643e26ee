import HoldfastBroadcasting
import HoldfastCapture
import HoldfastMediaModel
import HoldfastPublishing

/// A step of a check, as it is printed.
struct CheckRow {
  let step: String
  let title: String
  let outcome: CheckOutcome
  let took: MediaTime?
  let bitsPerSecond: Double?
  let detail: String
  let warning: String?

  /// `✓ connection    12 ms  127.0.0.1:1935`
  func text(titleWidth: Int, hint: String) -> String {
    let mark =
      switch outcome {
      case .passed: "✓"
      case .failed: "✗"
      case .skipped: "·"
      }
    let figure = bitsPerSecond.map(Figures.rate) ?? took.map { "\(($0.milliseconds * 10).rounded() / 10) ms" }
    let row = "\(mark) \(padded(title, titleWidth)) \(padded(figure ?? "", 12)) \(detail)\(hint)"
    return row + (warning.map { "\n! \($0)" } ?? "")
  }

  private func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - text.count))
  }

  var json: JSONValue {
    [
      "step": .text(step), "outcome": .text(outcome.rawValue),
      "ms": took.map { .number($0.milliseconds) } ?? .null,
      "bps": bitsPerSecond.map { .integer(Int64($0)) } ?? .null,
      "detail": .text(detail), "warning": warning.map { .text($0) } ?? .null,
    ]
  }
}

extension CheckRow {
  init(_ result: ServerCheck.Result) {
    let title =
      switch result.step {
      case .name, .connection, .handshake, .publish, .upload: result.step.rawValue
      case .tls: "TLS"
      case .roundTrip: "round trip"
      }
    self.init(result, title: title)
  }

  init(_ result: SourceCheck.Result) {
    let title =
      switch result.step {
      case .connection, .picture, .sound, .bitrate, .keyframes, .jitter, .clock, .copy: result.step.rawValue
      case .packet: "first packet"
      case .keyframe: "first keyframe"
      }
    self.init(result, title: title)
  }

  private init<Step>(_ result: CheckResult<Step>, title: String) {
    self.title = title
    (step, outcome) = (result.step.rawValue, result.outcome)
    (took, bitsPerSecond) = (result.took, result.bitsPerSecond)
    (detail, warning) = (result.detail, result.warning)
  }
}
