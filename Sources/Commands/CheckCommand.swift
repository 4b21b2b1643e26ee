import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing

/// `holdfast check URL`
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "check whether an address can be published to"
  static let help = """
    Usage: holdfast check URL [OPTION]...

    Tests an rtmp, rtmps, rtsp, rtsps or srt address in the steps of a publish: name
    resolution, connection, TLS, handshake, permission to publish, round trip. RTMP
    and SRT can't test the permission without publishing: the check starts a publish
    (RTMP: of type live), sends no media, and ends it after a second.

    \(HelpText.table(options))

    A line with ! says what a server that names itself is known to drop silently.

    URL may be @FILE or env:NAME, to keep keys out of process lists.

    Exit status: 0 the server accepts, 69 it can't be reached or the measurement
    breaks off, 77 it refuses or the name is taken.
    """

  private static let options = [
    Flag("--json", help: "print JSON"),
    Flag("--timeout", "TIME", help: "time limit for each connection [5]"),
    Flag(
      "--measure-upload",
      help: "measure an RTMP server's upload rate: publish a grey picture and silence for two seconds"),
    Flag("--tls-ca", "FILE", help: "also trust the certificates in this PEM file"),
    Flag("--tls-insecure", help: "accept any certificate"),
    Flag("--insecure-auth", help: "send the password unencrypted to an RTSP server that asks for it"),
  ]

  let address: OutputAddress
  let tls: TLSSettings
  let insecureAuth: Bool
  let timeout: MediaTime
  let measuresUpload: Bool
  let asJSON: Bool

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: Self.name, options: Self.options, operands: .accepted)
    asJSON = try arguments.isOn("--json")
    measuresUpload = try arguments.isOn("--measure-upload")
    tls = TLSSettings(
      caFile: try arguments.value(of: "--tls-ca", .path),
      isVerified: try !arguments.isOn("--tls-insecure"))
    insecureAuth = try arguments.isOn("--insecure-auth")
    timeout = try arguments.value(of: "--timeout", .duration) ?? .seconds(5)
    guard let address = arguments.operands.first else {
      throw Refusal(.usage, "check", "no address", "write holdfast check rtmp://HOST/APP/KEY")
    }
    guard arguments.operands.count == 1 else {
      throw Refusal(.usage, "check", "more than one address", "use only one")
    }
    guard timeout > .zero, timeout <= .seconds(600) else {
      throw Refusal(.usage, "--timeout", "out of range", "use more than 0 and at most 10m")
    }
    self.address = try Self.address(address, environment)
  }

  private static func address(
    _ argument: String, _ environment: [String: String]
  ) throws(Refusal) -> OutputAddress {
    let text = try SecretReference(environment: environment).find(argument, subject: "check", status: .usage)
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
      throw Refusal(.system, "check", "\(error)", "check whether the machine is out of files")
    }
    var results: [ServerCheck.Result] = []
    if !asJSON { printOutput(address.redacted) }
    let check = ServerCheck(
      address, tls: tls, insecureAuth: insecureAuth, timeout: timeout, measuresUpload: measuresUpload,
      stop: stop)
    let isFine = check.run { result in
      results.append(result)
      if !asJSON { printOutput(result.row(hint(for: result))) }
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

  private func hint(for result: ServerCheck.Result) -> String {
    switch (result.step, result.outcome) {
    case (.tls, .failed): " (--tls-ca, --tls-insecure)"
    case (.upload, .skipped) where address.kind == "rtmp" && !measuresUpload: " (--measure-upload)"
    default: ""
    }
  }
}

extension ServerCheck.Result {
  /// `✓ connection    12 ms  127.0.0.1:1935`
  fileprivate func row(_ hint: String) -> String {
    let mark =
      switch outcome {
      case .passed: "✓"
      case .failed: "✗"
      case .skipped: "·"
      }
    let figure = bitsPerSecond.map(Figures.rate) ?? took.map { "\(($0.milliseconds * 10).rounded() / 10) ms" }
    let row = "\(mark) \(padded(title, 12)) \(padded(figure ?? "", 12)) \(detail)\(hint)"
    return row + (warning.map { "\n! \($0)" } ?? "")
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
      "detail": .text(detail), "warning": warning.map { .text($0) } ?? .null,
    ]
  }
}
