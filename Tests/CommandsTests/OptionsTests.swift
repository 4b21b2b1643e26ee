import HoldfastBroadcasting
import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMembership
import HoldfastMixing
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastCommands

/// One setting, a value for it that is no default, and what that changes.
struct Example: Sendable, CustomTestStringConvertible {
  let setting: String
  let text: String
  /// The value as JSON5, where it is not just text.
  var json: String?
  let change: @Sendable (inout ProgramSettings) -> Void

  var testDescription: String { "\(setting) \(text)" }
  var inFile: String { "{ \(setting): \(json ?? "'\(text)'") }" }

  var expected: ProgramSettings {
    var settings = ProgramSettings()
    change(&settings)
    return settings
  }

  static let all: [Example] = [
    Example(setting: "name", text: "hall") { $0.broadcast.name = "hall" },
    Example(setting: "video", text: "camera:/dev/video2") {
      $0.broadcast.video.source = .device("/dev/video2")
    },
    Example(setting: "audio", text: "mic:hw:1,0") { $0.broadcast.audio.source = .device("hw:1,0") },
    Example(setting: "record", text: "/srv/a b") { $0.broadcast.recording.directory = "/srv/a b" },
    Example(setting: "duration", text: "1.5", json: "1.5") {
      $0.broadcast.session.duration = .milliseconds(1500)
    },
    Example(setting: "duration", text: "10m") { $0.broadcast.session.duration = .seconds(600) },
    Example(setting: "events", text: "-") { $0.events = "-" },
    Example(setting: "size", text: "640x360") {
      $0.broadcast.video.size = PictureSize(width: 640, height: 360)
    },
    Example(setting: "fps", text: "29.97", json: "29.97") {
      $0.broadcast.video.frameRate = FrameRate(numerator: 30_000, denominator: 1001) ?? .thirty
    },
    Example(setting: "bitrate", text: "4M") { $0.broadcast.video.bitrate = 4_000_000 },
    Example(setting: "bitrate", text: "4000000", json: "4e6") { $0.broadcast.video.bitrate = 4_000_000 },
    Example(setting: "gop", text: "1", json: "1") { $0.broadcast.video.gop = .seconds(1) },
    Example(setting: "videoCodec", text: "hevc") { $0.broadcast.video.codec = .hevc },
    Example(setting: "encoder", text: "x264") { $0.broadcast.video.encoder = .x264 },
    Example(setting: "audioCodec", text: "opus") { $0.broadcast.audio.codec = .opus },
    Example(setting: "audioBitrate", text: "96k") { $0.broadcast.audio.bitrate = 96_000 },
    Example(setting: "recordSize", text: "1920x1080") {
      $0.broadcast.recording.rendition.size = PictureSize(width: 1920, height: 1080)
    },
    Example(setting: "recordBitrate", text: "6M") { $0.broadcast.recording.rendition.bitrate = 6_000_000 },
    Example(setting: "recordEncoder", text: "x264") { $0.broadcast.recording.rendition.encoder = .x264 },
    Example(
      setting: "renditions", text: #"{ "low": { "size": "640x360", "bitrate": 500000 } }"#,
      json: "{ low: { size: '640x360', bitrate: '500k' } }"
    ) {
      var low = Rendition()
      (low.size, low.bitrate) = (PictureSize(width: 640, height: 360), 500_000)
      $0.broadcast.renditions = ["low": low]
    },
    Example(setting: "to", text: "rtmp://host/app/key") {
      if let address = try? OutputAddress("rtmp://host/app/key") {
        $0.broadcast.outputs.requests = [OutputRequest(address: address)]
      }
    },
    Example(setting: "publishType", text: "live") { $0.broadcast.outputs.publishType = .live },
    Example(setting: "outage", text: "catchUp") { $0.broadcast.outputs.outage = .catchUp },
    Example(setting: "connectTimeout", text: "2s") { $0.broadcast.outputs.connectTimeout = .seconds(2) },
    Example(setting: "stallTimeout", text: "1.5s") {
      $0.broadcast.outputs.stallTimeout = .milliseconds(1500)
    },
    Example(setting: "resumeWindow", text: "10m") { $0.broadcast.session.resumeWindow = .seconds(600) },
    Example(setting: "interruptOn", text: "lock,inactive") { $0.interruptOn = [.lock, .inactive] },
    Example(setting: "interruptOn", text: "inactive", json: "['inactive']") { $0.interruptOn = [.inactive] },
    Example(setting: "afterCrash", text: "resume") { $0.broadcast.session.afterCrash = .resume },
    Example(setting: "startTimeout", text: "30s") { $0.broadcast.session.startTimeout = .seconds(30) },
    Example(setting: "requireOutputs", text: "all") { $0.broadcast.outputs.required = .all },
    Example(setting: "giveUpAfter", text: "10m") { $0.broadcast.outputs.giveUpAfter = .seconds(600) },
    Example(setting: "adaptive", text: "true") { $0.broadcast.outputs.bitrateAdaptation = .always },
    Example(setting: "adaptive", text: "false", json: "false") {
      $0.broadcast.outputs.bitrateAdaptation = .never
    },
    Example(setting: "minBitrate", text: "300k") { $0.broadcast.video.minBitrate = 300_000 },
    Example(setting: "rtspTransport", text: "udp") { $0.broadcast.outputs.rtspTransport = .udp },
    Example(setting: "layout", text: "side-by-side") { $0.broadcast.programme.layout = .sideBySide },
    Example(setting: "fill", text: "crop") { $0.broadcast.programme.fill = .crop },
    Example(setting: "transition", text: "300ms") { $0.broadcast.programme.transition = .milliseconds(300) },
    Example(setting: "sourceLatency", text: "450ms") { $0.broadcast.sourceLatency = .milliseconds(450) },
    Example(setting: "segment", text: "1h") { $0.broadcast.recording.segment = .duration(.seconds(3600)) },
    Example(setting: "segment", text: "500M") { $0.broadcast.recording.segment = .size(500 << 20) },
    Example(setting: "segment", text: "90", json: "90") {
      $0.broadcast.recording.segment = .duration(.seconds(90))
    },
    Example(setting: "onSegment", text: #"rclone copy "$1" box:"#) {
      $0.broadcast.recording.onSegment = #"rclone copy "$1" box:"#
    },
    Example(setting: "onSegmentWait", text: "1m") { $0.broadcast.recording.onSegmentWait = .seconds(60) },
    Example(setting: "keepAge", text: "7d") { $0.broadcast.recording.keepAge = .seconds(604_800) },
    Example(setting: "keepSize", text: "50G") { $0.broadcast.recording.keepSize = 50 << 30 },
    Example(setting: "diskReserve", text: "1G") { $0.broadcast.recording.diskReserve = 1 << 30 },
    Example(setting: "diskReserve", text: "0", json: "0") { $0.broadcast.recording.diskReserve = 0 },
    Example(setting: "recordMode", text: "600") { $0.broadcast.recording.mode = 0o600 },
    Example(setting: "recordMode", text: "644", json: "644") { $0.broadcast.recording.mode = 0o644 },
    Example(setting: "syncEvery", text: "250ms") { $0.broadcast.recording.syncEvery = .milliseconds(250) },
    Example(setting: "recordQueue", text: "2m") { $0.broadcast.recording.queue = .seconds(120) },
    Example(setting: "maxDuration", text: "2h") { $0.broadcast.session.timer.maxDuration = .seconds(7200) },
    Example(setting: "maxTotal", text: "3h") { $0.broadcast.session.timer.maxTotal = .seconds(10_800) },
    Example(setting: "alertBefore", text: "5m") { $0.broadcast.session.timer.alertBefore = .seconds(300) },
    Example(setting: "gate", text: "./check.sh now") { $0.broadcast.session.gate.command = "./check.sh now" },
    Example(setting: "listen", text: "127.0.0.1:8080") { $0.listen = "127.0.0.1:8080" },
    Example(setting: "tlsCert", text: "/etc/cert.pem") { $0.tlsCert = "/etc/cert.pem" },
    Example(setting: "hookFolders", text: "/srv/a,/srv/b:ro") {
      $0.hookFolders = [.init(path: "/srv/a", isWritable: true), .init(path: "/srv/b", isWritable: false)]
    },
    Example(setting: "hookFolders", text: "/srv/a", json: "['/srv/a']") {
      $0.hookFolders = [.init(path: "/srv/a", isWritable: true)]
    },
    Example(setting: "tlsKey", text: "/etc/key.pem") { $0.tlsKey = "/etc/key.pem" },
    Example(setting: "tokenSecret", text: "/etc/secret") { $0.tokenSecret = "/etc/secret" },
    Example(setting: "gateTimeout", text: "30s") { $0.broadcast.session.gate.timeout = .seconds(30) },
    Example(setting: "onGateTimeout", text: "refuse") { $0.broadcast.session.gate.onTimeout = .refuse },
    Example(setting: "tlsCa", text: "/etc/ca.pem") { $0.broadcast.outputs.tlsCA = "/etc/ca.pem" },
    Example(setting: "session", text: "https://hub.example/Hall") {
      $0.membership.session = try? HTTPAddress("https://hub.example/Hall", insecureLAN: true)
    },
    Example(setting: "as", text: "Camera left") { $0.membership.name = "Camera left" },
    Example(setting: "sessionToken", text: "@/etc/token") { $0.membership.token = "@/etc/token" },
    Example(setting: "sessionPassword", text: "env:PASSWORD") { $0.membership.password = "env:PASSWORD" },
    Example(setting: "sessionSmall", text: "low") { $0.membership.smallRendition = "low" },
    Example(setting: "afterSession", text: "go-on") { $0.membership.afterSession = .goOn },
    Example(setting: "awaitOthers", text: "2", json: "2") { $0.membership.awaitsOthers = 2 },
    Example(setting: "hubCa", text: "/etc/hub.pem") { $0.membership.hubCA = "/etc/hub.pem" },
  ]
}

@Suite struct OptionsTests {
  @Test func `every setting has one option, and an example here unless it is a yes or no`() {
    let keys =
      Configuration.Setting.allCases.map(\.rawValue) + ProgramSettings.Setting.allCases.map(\.rawValue)
    #expect(Options.settings.map(\.key).sorted() == keys.sorted())
    #expect(
      Set(Example.all.map(\.setting))
        == Set(keys).subtracting([
          "loop", "preview", "waitForDevices", "tlsInsecure", "insecureAuth", "keepGaps",
          "countInterruptions", "awaitReady", "gateOnResume", "hsts", "allowUnmute",
          // Only together: see `TileOptionTests`.
          "insecureLan", "tile", "spotlight",
        ]))
  }

  @Test(arguments: [
    ("videoCodec", "--video-codec", "HOLDFAST_VIDEO_CODEC"), ("name", "--name", "HOLDFAST_NAME"),
    ("config", "--config", "HOLDFAST_CONFIG"), ("audioBitrate", "--audio-bitrate", "HOLDFAST_AUDIO_BITRATE"),
  ])
  func `an option's flag and variable follow from its key`(
    key: String, flag: String, variable: String
  ) throws {
    let option = try #require(Options.all.first { $0.key == key })
    #expect(option.flag == flag)
    #expect(option.variable == variable)
  }

  @Test(arguments: Options.settings)
  func `a default shown in the help is the actual default`(option: Option) throws {
    guard let text = option.defaultText, let apply = option.apply else { return }
    var settings = ProgramSettings()
    try apply(text, &settings)
    #expect(settings == ProgramSettings())
  }

  @Test(arguments: Example.all)
  func `each option is read from a flag, a variable and the file`(example: Example) throws {
    let option = try #require(Options.option(key: example.setting))
    #expect(example.expected != ProgramSettings())
    #expect(try read([option.flag, example.text]) == example.expected)
    #expect(try read(["\(option.flag)=\(example.text)"]) == example.expected)
    #expect(try read(variables: [option.variable: example.text]) == example.expected)
    #expect(try read(file: example.inFile) == example.expected)
  }

  /// Values of settings that have no default.
  private static let others: [String: String] = [
    "recordSize": "640x360", "recordBitrate": "1M", "recordEncoder": "auto", "renditions": "{}",
    "duration": "7s", "startTimeout": "7s", "requireOutputs": "any", "giveUpAfter": "7s", "minBitrate": "77k",
    "to": "rtmp://other/app/key", "segment": "7s",
    "keepAge": "7s", "keepSize": "7M", "maxDuration": "7s", "maxTotal": "7s", "gate": "true",
    "listen": "localhost:1", "tokenSecret": "/other", "tlsCert": "/other", "tlsKey": "/other",
    "hookFolders": "/other", "session": "https://other.example/Hall", "sessionToken": "@/other",
    "sessionPassword": "@/other", "sessionSmall": "other", "awaitOthers": "7", "gateTimeout": "7s",
  ]

  @Test func `a value's earlier name still works`() throws {
    let today = try read(["--after-crash", "resume"], file: "{ afterCrash: 'new' }")
    let earlier = try read(["--after-crash", "ask-never"], file: "{ afterCrash: 'new' }")
    #expect(today.broadcast.session.afterCrash == .resume)
    #expect(earlier.broadcast.session.afterCrash == .withinWindow)
  }

  @Test(
    arguments: [
      ("true", .always), ("yes", .always), ("1", .always), ("false", .never), ("off", .never),
      ("auto", .automatic),
    ] as [(String, BitrateAdaptation)])
  func `whether the bitrate is adapted was once a yes or no`(word: String, meant: BitrateAdaptation) throws {
    #expect(try read(["--adaptive=\(word)"]).broadcast.outputs.bitrateAdaptation == meant)
    #expect(try read(file: "{ adaptive: '\(word)' }").broadcast.outputs.bitrateAdaptation == meant)
  }

  @Test(arguments: [("true", BitrateAdaptation.always), ("false", .never), ("'auto'", .automatic)])
  func `an output in the file has its own adaptation`(json: String, meant: BitrateAdaptation) throws {
    let settings = try read(file: "{ to: { url: 'rtmp://host/app/key', adaptive: \(json) } }")
    #expect(settings.broadcast.outputs.requests.map(\.bitrateAdaptation) == [meant])
  }

  @Test(arguments: Example.all)
  func `a flag overrides a variable, and a variable overrides the file`(example: Example) throws {
    let option = try #require(Options.option(key: example.setting))
    let other = option.defaultText ?? Self.others[example.setting] ?? "other.jsonl"
    let flagged = try read([option.flag, example.text], variables: [option.variable: other])
    #expect(flagged == example.expected)
    #expect(
      try read(variables: [option.variable: example.text], file: "{ \(option.key): '\(other)' }") == flagged)
    let reversed = try read([option.flag, other], variables: [option.variable: example.text])
    #expect(reversed != flagged)
    #expect(try read(variables: [option.variable: other], file: example.inFile) == reversed)
  }

  @Test(
    arguments: [
      ("loop", \.broadcast.loop), ("preview", \.broadcast.session.preview),
      ("tlsInsecure", \.broadcast.outputs.tlsInsecure),
      ("insecureAuth", \.broadcast.outputs.insecureAuth),
      ("keepGaps", \.broadcast.recording.keepGaps), ("awaitReady", \.broadcast.session.gate.awaitsReady),
      ("countInterruptions", \.broadcast.session.timer.countsInterruptions),
      ("gateOnResume", \.broadcast.session.gate.onResume),
    ] as [(String, any KeyPath<ProgramSettings, Bool> & Sendable)])
  func `yes and no are read from a flag, a variable and the file`(
    key: String, property: any KeyPath<ProgramSettings, Bool> & Sendable
  ) throws {
    let option = try #require(Options.option(key: key))
    // Some settings need a file or a gate.
    let others = ["--video", "file:a.mp4", "--gate", "true"]
    #expect(try read(others + [option.flag])[keyPath: property])
    #expect(refusal(of: others + [option.flag, "false"])?.description.hasPrefix("false: ") == true)
    for (value, words) in [(true, ["true", "yes", "on", "1"]), (false, ["false", "no", "off", "0"])] {
      for word in words {
        #expect(try read(others + ["\(option.flag)=\(word)"])[keyPath: property] == value)
        let overFile = try read(others, variables: [option.variable: word], file: "{ \(key): \(!value) }")
        #expect(overFile[keyPath: property] == value)
      }
      let overVariable = try read(
        others + ["\(option.flag)=\(value)"], variables: [option.variable: "\(!value)"])
      #expect(overVariable[keyPath: property] == value)
      #expect(try read(others, file: "{ \(key): \(value) }")[keyPath: property] == value)
    }
  }

  @Test func `--interrupt-on can be repeated, and replaces the file's value`() throws {
    #expect(
      try read(["--interrupt-on", "lock", "--interrupt-on=inactive"]).interruptOn == [.lock, .inactive])
    #expect(
      try read(["--interrupt-on", "lock"], file: "{ interruptOn: ['inactive'] }").interruptOn == [.lock])
    #expect(try read(["--interrupt-on", "none"], file: "{ interruptOn: 'lock' }").interruptOn.isEmpty)
  }

  @Test func `a reload finds the file named by a flag or the variable`() throws {
    let named = ConfigurationReader(environment: ["HOLDFAST_CONFIG": "hall.json5"])
    #expect(try named.file([]) == "hall.json5")
    #expect(try named.file(["--config", "yard.json5"]) == "yard.json5")
    #expect(try ConfigurationReader(environment: [:]).file(["--name", "a"]) == nil)
  }

  @Test func `--record off without an output is refused as nothing to do`() {
    #expect(
      refusal(of: ["--record", "off"])?.description
        == "--record off: no recording and no output; choose a folder to record in, or add an output")
  }

  @Test func `the configuration file is named by the variable unless a flag names one`() throws {
    let variables = ["HOLDFAST_CONFIG": "hall.json5"]
    let reading = { (flags: [String]) in
      let texts = SecretReference(environment: variables) { Array("{ name: '\($0.prefix(4))' }".utf8) }
      return try ConfigurationReader(texts).read(flags).broadcast.name
    }
    #expect(try reading([]) == "hall")
    #expect(try reading(["--config", "yard.json5"]) == "yard")
  }

  @Test func `variables of other programs are ignored`() throws {
    #expect(try read(variables: ["HOME": "/", "HOLDFASTX": "1", "holdfast_name": "x"]) == ProgramSettings())
  }
}
