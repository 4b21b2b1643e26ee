import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastCommands

/// One setting, a value for it that is no default, and what that changes.
struct Example: Sendable, CustomTestStringConvertible {
  let setting: Configuration.Setting
  let text: String
  /// The value as JSON5, where it is not just text.
  var json: String?
  let change: @Sendable (inout Configuration) -> Void

  var testDescription: String { "\(setting) \(text)" }
  var inFile: String { "{ \(setting.rawValue): \(json ?? "'\(text)'") }" }

  var expected: Configuration {
    var configuration = Configuration()
    change(&configuration)
    return configuration
  }

  static let all: [Example] = [
    Example(setting: .name, text: "hall") { $0.name = "hall" },
    Example(setting: .video, text: "camera:/dev/video2") { $0.video = .device("/dev/video2") },
    Example(setting: .audio, text: "mic:hw:1,0") { $0.audio = .device("hw:1,0") },
    Example(setting: .record, text: "/srv/a b") { $0.recordingDirectory = "/srv/a b" },
    Example(setting: .duration, text: "1.5", json: "1.5") { $0.duration = .milliseconds(1500) },
    Example(setting: .duration, text: "10m") { $0.duration = .seconds(600) },
    Example(setting: .events, text: "-") { $0.events = "-" },
    Example(setting: .size, text: "640x360") { $0.size = PictureSize(width: 640, height: 360) },
    Example(setting: .fps, text: "29.97", json: "29.97") {
      $0.frameRate = FrameRate(numerator: 30_000, denominator: 1001) ?? .thirty
    },
    Example(setting: .bitrate, text: "4M") { $0.bitrate = 4_000_000 },
    Example(setting: .bitrate, text: "4000000", json: "4e6") { $0.bitrate = 4_000_000 },
    Example(setting: .gop, text: "1", json: "1") { $0.gop = .seconds(1) },
    Example(setting: .videoCodec, text: "hevc") { $0.videoCodec = .hevc },
    Example(setting: .encoder, text: "x264") { $0.encoder = .x264 },
    Example(setting: .audioCodec, text: "opus") { $0.audioCodec = .opus },
    Example(setting: .audioBitrate, text: "96k") { $0.audioBitrate = 96_000 },
    Example(setting: .to, text: "rtmp://host/app/key") {
      if let address = try? OutputAddress("rtmp://host/app/key") {
        $0.outputs = [OutputRequest(address: address)]
      }
    },
    Example(setting: .publishType, text: "live") { $0.publishType = .live },
    Example(setting: .outage, text: "catchUp") { $0.outage = .catchUp },
    Example(setting: .connectTimeout, text: "2s") { $0.connectTimeout = .seconds(2) },
    Example(setting: .stallTimeout, text: "1.5s") { $0.stallTimeout = .milliseconds(1500) },
    Example(setting: .resumeWindow, text: "10m") { $0.resumeWindow = .seconds(600) },
    Example(setting: .interruptOn, text: "lock,inactive") { $0.interruptOn = [.lock, .inactive] },
    Example(setting: .interruptOn, text: "inactive", json: "['inactive']") { $0.interruptOn = [.inactive] },
    Example(setting: .afterCrash, text: "resume") { $0.afterCrash = .resume },
    Example(setting: .giveUpAfter, text: "10m") { $0.giveUpAfter = .seconds(600) },
    Example(setting: .minBitrate, text: "300k") { $0.minBitrate = 300_000 },
    Example(setting: .rtspTransport, text: "udp") { $0.rtspTransport = .udp },
    Example(setting: .segment, text: "1h") { $0.segment = .duration(.seconds(3600)) },
    Example(setting: .segment, text: "500M") { $0.segment = .size(500 << 20) },
    Example(setting: .segment, text: "90", json: "90") { $0.segment = .duration(.seconds(90)) },
    Example(setting: .onSegment, text: #"rclone copy "$1" box:"#) {
      $0.onSegment = #"rclone copy "$1" box:"#
    },
    Example(setting: .onSegmentWait, text: "1m") { $0.onSegmentWait = .seconds(60) },
    Example(setting: .keepAge, text: "7d") { $0.keepAge = .seconds(604_800) },
    Example(setting: .keepSize, text: "50G") { $0.keepSize = 50 << 30 },
    Example(setting: .diskReserve, text: "1G") { $0.diskReserve = 1 << 30 },
    Example(setting: .diskReserve, text: "0", json: "0") { $0.diskReserve = 0 },
    Example(setting: .syncEvery, text: "250ms") { $0.syncEvery = .milliseconds(250) },
    Example(setting: .recordQueue, text: "2m") { $0.recordQueue = .seconds(120) },
    Example(setting: .maxDuration, text: "2h") { $0.maxDuration = .seconds(7200) },
    Example(setting: .maxTotal, text: "3h") { $0.maxTotal = .seconds(10_800) },
    Example(setting: .alertBefore, text: "5m") { $0.alertBefore = .seconds(300) },
    Example(setting: .gate, text: "./check.sh now") { $0.gate = "./check.sh now" },
    Example(setting: .listen, text: "127.0.0.1:8080") { $0.listen = "127.0.0.1:8080" },
    Example(setting: .tlsCert, text: "/etc/cert.pem") { $0.tlsCert = "/etc/cert.pem" },
    Example(setting: .tlsKey, text: "/etc/key.pem") { $0.tlsKey = "/etc/key.pem" },
    Example(setting: .tokenSecret, text: "/etc/secret") { $0.tokenSecret = "/etc/secret" },
    Example(setting: .gateTimeout, text: "30s") { $0.gateTimeout = .seconds(30) },
    Example(setting: .onGateTimeout, text: "refuse") { $0.onGateTimeout = .refuse },
    Example(setting: .tlsCa, text: "/etc/ca.pem") { $0.tlsCA = "/etc/ca.pem" },
  ]
}

@Suite struct OptionsTests {
  @Test func `every setting has one option, and one example here, but for those that are yes or no`() {
    let keys = Configuration.Setting.allCases.map(\.rawValue)
    #expect(Options.settings.map(\.key).sorted() == keys.sorted())
    #expect(
      Set(Example.all.map(\.setting))
        == Set(Configuration.Setting.allCases).subtracting([
          .loop, .preview, .adaptive, .tlsInsecure, .keepGaps, .countInterruptions, .awaitReady,
          .gateOnResume,
        ]))
  }

  @Test(arguments: [
    ("videoCodec", "--video-codec", "HOLDFAST_VIDEO_CODEC"), ("name", "--name", "HOLDFAST_NAME"),
    ("config", "--config", "HOLDFAST_CONFIG"), ("audioBitrate", "--audio-bitrate", "HOLDFAST_AUDIO_BITRATE"),
  ])
  func `flag and variable come from the key`(key: String, flag: String, variable: String) throws {
    let option = try #require(Options.all.first { $0.key == key })
    #expect(option.flag == flag)
    #expect(option.variable == variable)
  }

  @Test(arguments: Options.settings)
  func `a default as the help shows it is the default`(option: Option) throws {
    guard let text = option.defaultText, case .setting(let apply) = option.use else { return }
    var configuration = Configuration()
    try apply(text, &configuration)
    #expect(configuration == Configuration())
  }

  @Test(arguments: Example.all)
  func `each option is read from a flag, a variable and the file`(example: Example) throws {
    let option = try #require(Options.option(key: example.setting.rawValue))
    #expect(example.expected != Configuration())
    #expect(try read([option.flag, example.text]) == example.expected)
    #expect(try read(["\(option.flag)=\(example.text)"]) == example.expected)
    #expect(try read(variables: [option.variable: example.text]) == example.expected)
    #expect(try read(file: example.inFile) == example.expected)
  }

  /// Values of settings that have no default.
  private static let others: [Configuration.Setting: String] = [
    .duration: "7s", .giveUpAfter: "7s", .minBitrate: "77k", .to: "rtmp://other/app/key", .segment: "7s",
    .keepAge: "7s", .keepSize: "7M", .maxDuration: "7s", .maxTotal: "7s", .gate: "true",
    .listen: "localhost:1", .tokenSecret: "/other",
    .tlsCert: "/other", .tlsKey: "/other",
  ]

  @Test func `a value's earlier name goes on working`() throws {
    let today = try read(["--after-crash", "resume"], file: "{ afterCrash: 'new' }")
    let earlier = try read(["--after-crash", "ask-never"], file: "{ afterCrash: 'new' }")
    #expect(today.afterCrash == .resume)
    #expect(earlier.afterCrash == .withinWindow)
  }

  @Test(arguments: Example.all)
  func `a flag goes before a variable, a variable before the file`(example: Example) throws {
    let option = try #require(Options.option(key: example.setting.rawValue))
    let other = option.defaultText ?? Self.others[example.setting] ?? "other.jsonl"
    let flagged = try read([option.flag, example.text], variables: [option.variable: other])
    #expect(flagged == example.expected)
    #expect(
      try read(variables: [option.variable: example.text], file: "{ \(option.key): '\(other)' }") == flagged)
    let reversed = try read([option.flag, other], variables: [option.variable: example.text])
    #expect(reversed != flagged)
    #expect(try read(variables: [option.variable: other], file: example.inFile) == reversed)
  }

  @Test func `files are repeated when loop says so, wherever`() throws {
    let source = ["--video", "file:a.mp4"]
    #expect(try read(source + ["--loop"]).loop)
    #expect(try read(source + ["--loop=true"]).loop)
    #expect(try read(source, variables: ["HOLDFAST_LOOP": "yes"]).loop)
    #expect(try read(source, file: "{ loop: true }").loop)
    #expect(try !read(source + ["--loop=false"], variables: ["HOLDFAST_LOOP": "1"]).loop)
    #expect(try !read(source, variables: ["HOLDFAST_LOOP": "off"], file: "{ loop: true }").loop)
    #expect(refusal(of: source + ["--loop", "false"])?.description.hasPrefix("false: ") == true)
  }

  @Test func `gaps are kept when that is asked for`() throws {
    #expect(try read(["--keep-gaps"]).keepGaps)
    #expect(try read(variables: ["HOLDFAST_KEEP_GAPS": "yes"]).keepGaps)
    #expect(try read(file: "{ keepGaps: true }").keepGaps)
    #expect(try !read().keepGaps)
  }

  @Test func `what interrupts may be given many times, and a later place replaces it`() throws {
    #expect(
      try read(["--interrupt-on", "lock", "--interrupt-on=inactive"]).interruptOn == [.lock, .inactive])
    #expect(
      try read(["--interrupt-on", "lock"], file: "{ interruptOn: ['inactive'] }").interruptOn == [.lock])
    #expect(try read(["--interrupt-on", "none"], file: "{ interruptOn: 'lock' }").interruptOn.isEmpty)
  }

  @Test func `it is known which file is to be read again`() throws {
    let named = ConfigurationReader(environment: ["HOLDFAST_CONFIG": "hall.json5"])
    #expect(try named.file([]) == "hall.json5")
    #expect(try named.file(["--config", "yard.json5"]) == "yard.json5")
    #expect(try ConfigurationReader(environment: [:]).file(["--name", "a"]) == nil)
  }

  @Test func `recording off is read, and leaves nothing to do`() {
    #expect(
      refusal(of: ["--record", "off"])?.description
        == "--record off: nothing would be left to do; name a folder for the recording, or an output with --to"
    )
  }

  @Test func `the configuration file is named by the variable unless a flag names one`() throws {
    let variables = ["HOLDFAST_CONFIG": "hall.json5"]
    let reading = { (flags: [String]) in
      try ConfigurationReader(environment: variables) { path in Array("{ name: '\(path.prefix(4))' }".utf8) }
        .read(flags).name
    }
    #expect(try reading([]) == "hall")
    #expect(try reading(["--config", "yard.json5"]) == "yard")
  }

  @Test func `variables of others do not matter`() throws {
    #expect(try read(variables: ["HOME": "/", "HOLDFASTX": "1", "holdfast_name": "x"]) == Configuration())
  }
}
