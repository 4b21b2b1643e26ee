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

@testable import HoldfastBroadcastCommands
@testable import HoldfastCommands

/// One setting, a value for it that is no default, and what that changes.
struct Example: Sendable, CustomTestStringConvertible {
  let setting: String
  let text: String
  /// The value as JSON5, where it is not just text.
  let json: String?
  let change: @Sendable (inout ProgramSettings) -> Void

  init(
    _ setting: String, _ text: String, json: String? = nil,
    change: @escaping @Sendable (inout ProgramSettings) -> Void
  ) {
    (self.setting, self.text, self.json, self.change) = (setting, text, json, change)
  }

  var testDescription: String { "\(setting) \(text)" }
  var inFile: String { "{ \(setting): \(json ?? "'\(text)'") }" }

  var expected: ProgramSettings {
    var settings = ProgramSettings()
    change(&settings)
    return settings
  }

  static let all: [Example] = [
    Example("name", "hall") { $0.broadcast.name = "hall" },
    Example("video", "camera:/dev/video2") { $0.broadcast.video.source = .device("/dev/video2") },
    Example("audio", "mic:hw:1,0") { $0.broadcast.audio.source = .device("hw:1,0") },
    Example("record", "/srv/a b") { $0.broadcast.recording.directory = "/srv/a b" },
    Example("duration", "1.5", json: "1.5") { $0.broadcast.session.duration = .milliseconds(1500) },
    Example("duration", "10m") { $0.broadcast.session.duration = .seconds(600) },
    Example("events", "-") { $0.events = "-" },
    Example("size", "640x360") { $0.broadcast.video.size = PictureSize(width: 640, height: 360) },
    Example("fps", "29.97", json: "29.97") {
      $0.broadcast.video.frameRate = FrameRate(numerator: 30_000, denominator: 1001) ?? .thirty
    },
    Example("bitrate", "4M") { $0.broadcast.video.bitrate = 4_000_000 },
    Example("bitrate", "4000000", json: "4e6") { $0.broadcast.video.bitrate = 4_000_000 },
    Example("gop", "1", json: "1") { $0.broadcast.video.gop = .seconds(1) },
    Example("videoCodec", "hevc") { $0.broadcast.video.codec = .hevc },
    Example("encoder", "x264") { $0.broadcast.video.encoder = .x264 },
    Example("audioCodec", "opus") { $0.broadcast.audio.codec = .opus },
    Example("audioBitrate", "96k") { $0.broadcast.audio.bitrate = 96_000 },
    Example("recordSize", "1920x1080") {
      $0.broadcast.recording.rendition.size = PictureSize(width: 1920, height: 1080)
    },
    Example("recordBitrate", "6M") { $0.broadcast.recording.rendition.bitrate = 6_000_000 },
    Example("recordEncoder", "x264") { $0.broadcast.recording.rendition.encoder = .x264 },
    Example(
      "renditions", #"{ "low": { "size": "640x360", "bitrate": 500000 } }"#,
      json: "{ low: { size: '640x360', bitrate: '500k' } }"
    ) {
      var low = Rendition()
      (low.size, low.bitrate) = (PictureSize(width: 640, height: 360), 500_000)
      $0.broadcast.renditions = ["low": low]
    },
    Example("to", "rtmp://host/app/key") {
      if let address = try? OutputAddress("rtmp://host/app/key") {
        $0.broadcast.outputs.requests = [OutputRequest(address: address)]
      }
    },
    Example("publishType", "live") { $0.broadcast.outputs.publishType = .live },
    Example("outage", "catchUp") { $0.broadcast.outputs.outage = .catchUp },
    Example("connectTimeout", "2s") { $0.broadcast.outputs.connectTimeout = .seconds(2) },
    Example("stallTimeout", "1.5s") { $0.broadcast.outputs.stallTimeout = .milliseconds(1500) },
    Example("resumeWindow", "10m") { $0.broadcast.session.resumeWindow = .seconds(600) },
    Example("interruptOn", "lock,inactive") { $0.interruptOn = [.lock, .inactive] },
    Example("interruptOn", "inactive", json: "['inactive']") { $0.interruptOn = [.inactive] },
    Example("afterCrash", "resume") { $0.broadcast.session.afterCrash = .resume },
    Example("startTimeout", "30s") { $0.broadcast.session.startTimeout = .seconds(30) },
    Example("requireOutputs", "all") { $0.broadcast.outputs.required = .all },
    Example("giveUpAfter", "10m") { $0.broadcast.outputs.giveUpAfter = .seconds(600) },
    Example("adaptive", "true") { $0.broadcast.outputs.bitrateAdaptation = .always },
    Example("adaptive", "false", json: "false") { $0.broadcast.outputs.bitrateAdaptation = .never },
    Example("minBitrate", "300k") { $0.broadcast.video.minBitrate = 300_000 },
    Example("rtspTransport", "udp") { $0.broadcast.outputs.rtspTransport = .udp },
    Example("layout", "side-by-side") { $0.broadcast.programme.layout = .sideBySide },
    Example("fill", "crop") { $0.broadcast.programme.fill = .crop },
    Example("transition", "300ms") { $0.broadcast.programme.transition = .milliseconds(300) },
    Example("sourceLatency", "450ms") { $0.broadcast.sourceLatency = .milliseconds(450) },
    Example("segment", "1h") { $0.broadcast.recording.segment = .duration(.seconds(3600)) },
    Example("segment", "500M") { $0.broadcast.recording.segment = .size(500 << 20) },
    Example("segment", "90", json: "90") { $0.broadcast.recording.segment = .duration(.seconds(90)) },
    Example("onSegment", #"rclone copy "$1" box:"#) {
      $0.broadcast.recording.onSegment = #"rclone copy "$1" box:"#
    },
    Example("onSegmentWait", "1m") { $0.broadcast.recording.onSegmentWait = .seconds(60) },
    Example("keepAge", "7d") { $0.broadcast.recording.keepAge = .seconds(604_800) },
    Example("keepSize", "50G") { $0.broadcast.recording.keepSize = 50 << 30 },
    Example("diskReserve", "1G") { $0.broadcast.recording.diskReserve = 1 << 30 },
    Example("diskReserve", "0", json: "0") { $0.broadcast.recording.diskReserve = 0 },
    Example("recordMode", "600") { $0.broadcast.recording.mode = 0o600 },
    Example("recordMode", "644", json: "644") { $0.broadcast.recording.mode = 0o644 },
    Example("syncEvery", "250ms") { $0.broadcast.recording.syncEvery = .milliseconds(250) },
    Example("recordQueue", "2m") { $0.broadcast.recording.queue = .seconds(120) },
    Example("maxDuration", "2h") { $0.broadcast.session.timer.maxDuration = .seconds(7200) },
    Example("maxTotal", "3h") { $0.broadcast.session.timer.maxTotal = .seconds(10_800) },
    Example("alertBefore", "5m") { $0.broadcast.session.timer.alertBefore = .seconds(300) },
    Example("gate", "./check.sh now") { $0.broadcast.session.gate.command = "./check.sh now" },
    Example("listen", "127.0.0.1:8080") { $0.listen = "127.0.0.1:8080" },
    Example("tlsCert", "/etc/cert.pem") { $0.tlsCert = "/etc/cert.pem" },
    Example("hookFolders", "/srv/a,/srv/b:ro") {
      $0.hookFolders = [.init(path: "/srv/a", isWritable: true), .init(path: "/srv/b", isWritable: false)]
    },
    Example("hookFolders", "/srv/a", json: "['/srv/a']") {
      $0.hookFolders = [.init(path: "/srv/a", isWritable: true)]
    },
    Example("tlsKey", "/etc/key.pem") { $0.tlsKey = "/etc/key.pem" },
    Example("tokenSecret", "/etc/secret") { $0.tokenSecret = "/etc/secret" },
    Example("gateTimeout", "30s") { $0.broadcast.session.gate.timeout = .seconds(30) },
    Example("onGateTimeout", "refuse") { $0.broadcast.session.gate.onTimeout = .refuse },
    Example("tlsCa", "/etc/ca.pem") { $0.broadcast.outputs.tlsCA = "/etc/ca.pem" },
    Example("session", "https://hub.example/Hall") {
      $0.membership.session = try? HTTPAddress("https://hub.example/Hall", insecureLAN: true)
    },
    Example("as", "Camera left") { $0.membership.name = "Camera left" },
    Example("sessionToken", "@/etc/token") { $0.membership.token = "@/etc/token" },
    Example("sessionPassword", "env:PASSWORD") { $0.membership.password = "env:PASSWORD" },
    Example("sessionSmall", "low") { $0.membership.smallRendition = "low" },
    Example("afterSession", "go-on") { $0.membership.afterSession = .goOn },
    Example("awaitOthers", "2", json: "2") { $0.membership.awaitsOthers = 2 },
    Example("hubCa", "/etc/hub.pem") { $0.membership.hubCA = "/etc/hub.pem" },
  ]
}

@Suite struct OptionsTests {
  @Test func `every setting has one option, and an example here unless it is a yes or no`() {
    let keys =
      Configuration.Setting.allCases.map(\.rawValue) + ProgramSettings.Setting.allCases.map(\.rawValue)
    #expect(Options.settings.map(\.key).sorted() == keys.sorted())
    let withoutExample: Set = [
      "loop", "preview", "waitForDevices", "tlsInsecure", "insecureAuth", "keepGaps", "countInterruptions",
      "awaitReady", "gateOnResume", "hsts", "allowUnmute",
      // Only together: see `TileOptionTests`.
      "insecureLan", "tile", "spotlight",
    ]
    #expect(Set(Example.all.map(\.setting)) == Set(keys).subtracting(withoutExample))
  }

  @Test(arguments: [
    ("videoCodec", ["--video-codec", "HOLDFAST_VIDEO_CODEC"]), ("name", ["--name", "HOLDFAST_NAME"]),
    ("config", ["--config", "HOLDFAST_CONFIG"]),
    ("audioBitrate", ["--audio-bitrate", "HOLDFAST_AUDIO_BITRATE"]),
  ])
  func `an option's flag and variable follow from its key`(key: String, names: [String]) throws {
    let option = try #require(Options.all.first { $0.key == key })
    #expect([option.flag, option.variable] == names)
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
    "to": "rtmp://other/app/key", "segment": "7s", "keepAge": "7s", "keepSize": "7M", "maxDuration": "7s",
    "maxTotal": "7s", "gate": "true", "listen": "localhost:1", "tokenSecret": "/other", "tlsCert": "/other",
    "tlsKey": "/other",
    "hookFolders": "/other", "session": "https://other.example/Hall", "sessionToken": "@/other",
    "sessionPassword": "@/other", "sessionSmall": "other", "awaitOthers": "7", "gateTimeout": "7s",
  ]

  @Test func `a value's earlier name still works`() throws {
    let policies = try ["resume", "ask-never"].map {
      try read(["--after-crash", $0], file: "{ afterCrash: 'new' }").broadcast.session.afterCrash
    }
    #expect(policies == [.resume, .withinWindow])
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
    let overFile = try read(variables: [option.variable: example.text], file: "{ \(option.key): '\(other)' }")
    #expect([flagged, overFile] == [example.expected, example.expected])
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
    let flag = "--interrupt-on"
    #expect(try read([flag, "lock", "\(flag)=inactive"]).interruptOn == [.lock, .inactive])
    #expect(try read([flag, "lock"], file: "{ interruptOn: ['inactive'] }").interruptOn == [.lock])
    #expect(try read([flag, "none"], file: "{ interruptOn: 'lock' }").interruptOn.isEmpty)
  }

  @Test func `a reload finds the file named by a flag or the variable`() throws {
    let named = ConfigurationReader(environment: ["HOLDFAST_CONFIG": "hall.json5"])
    #expect(try [[], ["--config", "yard.json5"]].map(named.file) == ["hall.json5", "yard.json5"])
    #expect(try ConfigurationReader(environment: [:]).file(["--name", "a"]) == nil)
  }

  @Test func `--record off without an output is refused as nothing to do`() {
    let text = "--record off: no recording and no output; choose a folder to record in, or add an output"
    #expect(refusal(of: ["--record", "off"])?.description == text)
  }

  @Test func `the configuration file is named by the variable unless a flag names one`() throws {
    let variables = ["HOLDFAST_CONFIG": "hall.json5"]
    let reading = { (flags: [String]) in
      let texts = SecretReference(environment: variables) { Array("{ name: '\($0.prefix(4))' }".utf8) }
      return try ConfigurationReader(texts).read(flags).broadcast.name
    }
    #expect(try [[], ["--config", "yard.json5"]].map(reading) == ["hall", "yard"])
  }

  @Test func `variables of other programs are ignored`() throws {
    #expect(try read(variables: ["HOME": "/", "HOLDFASTX": "1", "holdfast_name": "x"]) == ProgramSettings())
  }
}
