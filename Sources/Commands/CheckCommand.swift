import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing

/// `holdfast check URL`
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "see whether an address can be published to"
  static let help = """
    Usage: holdfast check URL [OPTION]...

    Tries an rtmp, rtmps, rtsp, rtsps or srt address step by step, as a publish
    would go: name, connection, TLS, handshake, the right to publish, round trip,
    and where the protocol allows it the upload rate over two seconds. Nothing goes
    on air. RTMP has no way to ask for the right without a publish: it begins one
    of type live, sends no media, and ends it.

    \(HelpText.table([
      ("--json", "as JSON, for programs"),
      ("--timeout TIME", "time for each connection [5]"),
      ("--tls-ca FILE", "trust the certificates in this PEM file, too"),
      ("--tls-insecure", "take any certificate"),
      ("--help", "show this help"),
    ]))

    URL may be @FILE or env:NAME, which keeps keys out of lists of processes.

    Exit status: 0 a publish would be taken, 69 it can't be reached, 77 it refuses.
    """

  let address: OutputAddress
  var tls = TLSSettings()
  var timeout = MediaTime.seconds(5)
  var asJSON = false

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    var address: OutputAddress?
    var words = Words(
      arguments, of: Self.name, options: ["--json", "--timeout", "--tls-ca", "--tls-insecure"])
    while let word = try words.next() {
      switch word {
      case "--json": asJSON = true
      case "--tls-insecure": tls.isVerified = false
      case "--tls-ca": tls.caFile = try Self.value(of: word, .path, &words)
      case "--timeout": timeout = try Self.value(of: word, .duration, &words)
      default:
        guard address == nil else { throw Refusal(.usage, "check", "more than one address", "name one") }
        address = try Self.address(word, environment)
      }
    }
    guard let address else {
      throw Refusal(.usage, "check", "no address", "write holdfast check rtmp://HOST/APP/KEY")
    }
    guard timeout > .zero, timeout <= .seconds(600) else {
      throw Refusal(.usage, "--timeout", "out of range", "it may be up to 10m")
    }
    self.address = address
  }

  private static func value<Value>(
    of option: String, _ kind: ValueKind<Value>, _ words: inout Words
  ) throws(Refusal) -> Value {
    let text = try words.value(of: option, as: kind.placeholder)
    do {
      return try kind.read(text)
    } catch {
      throw Refusal(.usage, "\(option) \(shown(text))", error.why, error.remedy)
    }
  }

  private static func address(
    _ argument: String, _ environment: [String: String]
  ) throws(Refusal) -> OutputAddress {
    let text = try SecretReference(environment: environment).find(argument, place: "check", status: .usage)
    do {
      return try OutputAddress(text)
    } catch {
      throw Refusal(.usage, "check", error.what, error.hint)
    }
  }

  func run() throws(Refusal) -> Int32 {
    let stop: Wakeup
    do {
      stop = try Wakeup()
    } catch {
      throw Refusal(.system, "check", "\(error)", "see whether the machine is out of files")
    }
    var results: [ServerCheck.Result] = []
    if !asJSON { printOutput(address.redacted) }
    let isFine = ServerCheck(address, tls: tls, timeout: timeout, stop: stop).run { result in
      results.append(result)
      if !asJSON { printOutput(result.row) }
    }
    if asJSON {
      let report: JSONValue = [
        "url": .text(address.redacted), "ok": .bool(isFine), "steps": .list(results.map(\.json)),
      ]
      printOutput(report.description)
    }
    guard !isFine else { return ExitStatus.success.rawValue }
    let isRefused = results.contains { $0.outcome == .failed && [.publish, .tls].contains($0.step) }
    return (isRefused ? ExitStatus.refused : .gaveUp).rawValue
  }
}

extension ServerCheck.Result {
  /// `✓ connection    12 ms  127.0.0.1:1935`
  fileprivate var row: String {
    let mark =
      switch outcome {
      case .passed: "✓"
      case .failed: "✗"
      case .skipped: "·"
      }
    let figure = bitsPerSecond.map(Figures.rate) ?? took.map { "\(($0.milliseconds * 10).rounded() / 10) ms" }
    return "\(mark) \(padded(title, 12)) \(padded(figure ?? "", 12)) \(detail)"
  }

  private var title: String {
    switch step {
    case .name, .connection, .handshake, .publish, .upload: step.rawValue
    case .tls: "TLS"
    case .roundTrip: "round trip"
    }
  }

  private func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - text.count))
  }

  fileprivate var json: JSONValue {
    [
      "step": .text(step.rawValue), "outcome": .text("\(outcome)"),
      "ms": took.map { .number($0.milliseconds) } ?? .null,
      "bps": bitsPerSecond.map { .integer(Int64($0)) } ?? .null,
      "detail": .text(detail),
    ]
  }
}
