import HoldfastBroadcasting
import HoldfastCommands
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import HoldfastPublishing

/// `holdfast check URL`, `holdfast check --source URL`
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "check an address to publish to, or a network source"
  static let help = """
    Usage: holdfast check URL [OPTION]...
           holdfast check --source URL [OPTION]...

    Tests an rtmp, rtmps, rtsp, rtsps or srt address in the steps of a publish: name
    resolution, connection, TLS, handshake, permission to publish, round trip. RTMP
    and SRT can't test the permission without publishing: the check starts a publish
    (RTMP: of type live), sends no media, and ends it after a second.

    With --source, connects to an rtmp, rtmps, rtsp, rtsps, srt, http or https
    address as a broadcast does (publish --video URL), and measures for four
    seconds: what it sends, how soon, bitrate, distance of keyframes, jitter, time
    stamps, and whether --encoder copy can pass it on.

    \(HelpText.table(options))

    A line with ! is a warning: what a server that names itself is known to drop
    silently, what a source should do differently.

    URL may be @FILE or env:NAME, to keep keys out of process lists.

    Exit status: 0 the server accepts, 69 it can't be reached or the measurement
    breaks off, 77 it refuses or the name is taken. For a source: 0 it can be used,
    66 what it sends can't, 69 it can't be reached or sends nothing, 77 it refuses
    the user and password.
    """

  private static let options = [
    Flag("--source", "URL", help: "check this network source"),
    Flag("--source-latency", "TIME", help: "with --source: the jitter buffer to compare with [300ms]"),
    Flag("--rtsp-transport", "WAY", help: "with --source: the transport of RTSP media, tcp or udp [tcp]"),
    Flag("--json", help: "print JSON"),
    Flag("--timeout", "TIME", help: "time limit for each connection [5]"),
    Flag(
      "--measure-upload",
      help: "measure an RTMP server's upload rate: publish a grey picture and silence for two seconds"),
    Flag("--tls-ca", "FILE", help: "also trust the certificates in this PEM file"),
    Flag("--tls-insecure", help: "accept any certificate"),
    Flag("--insecure-auth", help: "send the password unencrypted to an RTSP server that asks for it"),
  ]

  enum Subject {
    case output(OutputAddress)
    case source(SourceAddress)
  }

  let subject: Subject
  let tls: TLSSettings
  let insecureAuth: Bool
  let timeout: MediaTime
  let measuresUpload: Bool
  let asJSON: Bool
  private let sourceLatency: MediaTime?
  private let usesUDP: Bool

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: Self.name, options: Self.options, operands: .accepted)
    asJSON = try arguments.isOn("--json")
    measuresUpload = try arguments.isOn("--measure-upload")
    tls = TLSSettings(
      caFile: try arguments.value(of: "--tls-ca", .path),
      isVerified: try !arguments.isOn("--tls-insecure"))
    insecureAuth = try arguments.isOn("--insecure-auth")
    timeout = try arguments.value(of: "--timeout", .duration) ?? .seconds(5)
    guard timeout > .zero, timeout <= .seconds(600) else {
      throw Refusal(.usage, "--timeout", "out of range", "use more than 0 and at most 10m")
    }
    sourceLatency = try arguments.value(of: "--source-latency", .duration)
    usesUDP =
      try arguments.value(of: "--rtsp-transport", .choice("WAY", of: RTSPSink.Transport.allCases)) == .udp
    subject = try Self.subject(arguments, environment)
  }

  private static func subject(
    _ arguments: Arguments<Flag>, _ environment: [String: String]
  ) throws(Refusal) -> Subject {
    let source = try arguments.value(of: "--source", .name)
    let operands = arguments.operands
    guard operands.count + (source == nil ? 0 : 1) < 2 else {
      throw Refusal(.usage, "check", "more than one address", "use only one")
    }
    let onlySource = ["--source-latency", "--rtsp-transport"]
    let onlyOutput = ["--measure-upload", "--insecure-auth"]
    if let wrong = (source == nil ? onlySource : onlyOutput).first(where: arguments.has) {
      throw Refusal(.usage, wrong, source == nil ? "only for --source" : "not for --source", "leave it out")
    }
    guard let written = source ?? operands.first else {
      throw Refusal(
        .usage, "check", "no address",
        "write holdfast check rtmp://HOST/APP/KEY, or holdfast check --source URL")
    }
    let address = try SecretReference(environment: environment)
      .find(written, subject: "check", status: .usage)
    return source == nil
      ? .output(try valid(OutputRequest.address(address), for: "check"))
      : .source(try valid(SourceAddress(address), for: "check"))
  }

  func run() throws(Refusal) -> Int32 {
    let stop = try mapError(Wakeup()) { (error: SystemError) in
      Refusal(.system, "check", "\(error)", "check whether the machine is out of files")
    }
    return switch subject {
    case .output(let address): check(address, stop).rawValue
    case .source(let address): check(address, stop).rawValue
    }
  }

  private func check(_ address: OutputAddress, _ stop: Wakeup) -> ExitStatus {
    let check = ServerCheck(
      address, tls: tls, insecureAuth: insecureAuth, timeout: timeout, measuresUpload: measuresUpload,
      stop: stop)
    var isRefused = false
    let isFine = report(address.redacted, titleWidth: 12) { observe in
      check.run { result in
        isRefused = isRefused || result.outcome == .failed && [.publish, .tls].contains(result.step)
        observe(result, hint(for: result))
      }
    }
    return isFine ? .success : isRefused ? .refused : .gaveUp
  }

  private func check(_ address: SourceAddress, _ stop: Wakeup) -> ExitStatus {
    var settings = NetworkSettings(address)
    settings.connectTimeout = timeout
    settings.caFile = tls.caFile
    settings.isVerified = tls.isVerified
    settings.usesUDP = usesUDP
    settings.latency = sourceLatency ?? settings.latency
    var problem: CaptureError?
    _ = report(address.redacted, titleWidth: 14) { observe in
      problem = SourceCheck(settings, stop: stop).run { observe($0, "") }
      return problem == nil
    }
    return switch problem?.kind {
    case nil: .success
    case .notPermitted: .refused
    case .unsuitable: .notFound
    case .lost, .notFound, .busy: .gaveUp
    }
  }

  /// Runs `check`, and prints its results: as they come, or at the end as JSON.
  private func report<Step: TitledStep>(
    _ address: String, titleWidth: Int, check: ((CheckResult<Step>, _ hint: String) -> Void) -> Bool
  ) -> Bool {
    var steps: [JSONValue] = []
    if !asJSON { printOutput(address) }
    let isFine = check { result, hint in
      steps.append(result.json)
      if !asJSON { printOutput(result.row(titleWidth: titleWidth, hint: hint)) }
    }
    if asJSON {
      let report: JSONValue = ["url": .text(address), "ok": .bool(isFine), "steps": .list(steps)]
      printOutput(report.description)
    }
    return isFine
  }

  private func hint(for result: ServerCheck.Result) -> String {
    switch (result.step, result.outcome) {
    case (.tls, .failed): " (--tls-ca, --tls-insecure)"
    case (.upload, .skipped) where measuresUploadIsPossible && !measuresUpload: " (--measure-upload)"
    default: ""
    }
  }

  private var measuresUploadIsPossible: Bool {
    if case .output(let address) = subject { address.kind == "rtmp" } else { false }
  }
}
