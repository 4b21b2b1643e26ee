import Testing

@testable import HoldfastBroadcastCommands
@testable import HoldfastCommands

@Suite struct HelpTests {
  @Test(arguments: Options.all)
  func `every option is in the help, with its default`(option: Option) throws {
    let term = option.placeholder.isEmpty ? option.flag : "\(option.flag) \(option.placeholder)"
    let lines = PublishCommand.help.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("  \(term)  ") })
    let end = lines[(start + 1)...].firstIndex { !$0.hasPrefix("      ") } ?? lines.endIndex
    let words = lines[start..<end].joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.contains(option.help))
    if let text = option.defaultText { #expect(words.hasSuffix("[\(text)]")) }
  }

  @Test(arguments: [HelpCommand.overview] + Commands.all.map { $0.help })
  func `no help line is wider than 80 columns or ends with a blank`(help: String) {
    for line in help.split(separator: "\n") {
      #expect(line.count <= 80 && line.last != " ", "\(line)")
    }
  }

  @Test(arguments: [
    "camera", "camera:/dev/video0", "camera:SERIAL", "test", "file:PATH", "off", "mic", "mic:hw:1,0", "tone",
  ])
  func `every source is in the help`(source: String) {
    #expect(PublishCommand.help.contains("\n  \(source)  "))
  }

  @Test func `every exit status is in the help`() {
    for status in ExitStatus.allCases {
      #expect(PublishCommand.help.contains("\n  \(status.rawValue)  "))
      #expect(HelpCommand.overview.contains("\n  \(status.rawValue)  "))
    }
  }

  @Test func `every command is in the overview and has help`() throws {
    for command in Commands.all {
      #expect(HelpCommand.overview.contains("\n  \(command.name)  "))
      #expect(try HelpCommand([command.name], environment: [:]).text == command.help)
    }
    #expect(try HelpCommand([], environment: [:]).text == HelpCommand.overview)
  }

  @Test func `a long term in the help gets its own line`() {
    let term = String(repeating: "x", count: 30)
    #expect(
      HelpText.table([(term, "a"), ("b", "c")]) == "  \(term)\n" + String(repeating: " ", count: 28) + "a\n"
        + "  b" + String(repeating: " ", count: 25) + "c")
  }
}

@Suite struct DevicesCommandTests {
  private static let devices = DeviceList(
    cameras: [
      DeviceList.Camera(
        path: "/dev/video0", name: "HD \"Pro\"", id: "ABC123",
        modes: ["MJPEG 1280x720 30", "YUYV 640x480 30"]),
      DeviceList.Camera(path: "/dev/video12", name: "Capture", id: "", modes: []),
    ], microphones: [DeviceList.Microphone(pcm: "hw:1,0", name: "USB Audio", id: "usb-1")],
    screens: [DeviceList.Screen(display: ":0", size: "1920x1080")])

  @Test func `devices are listed in columns`() {
    #expect(
      Self.devices.table == """
        Cameras:
          /dev/video0   HD "Pro"  [ABC123]
                        MJPEG 1280x720 30
                        YUYV 640x480 30
          /dev/video12  Capture

        Microphones:
          hw:1,0        USB Audio  [usb-1]

        Screens:
          :0            1920x1080
        """)
  }

  @Test func `devices are listed as JSON`() {
    #expect(
      Self.devices.json == #"{"cameras":[{"path":"/dev/video0","name":"HD \"Pro\"","id":"ABC123","#
        + #""modes":["MJPEG 1280x720 30","YUYV 640x480 30"]},"#
        + #"{"path":"/dev/video12","name":"Capture","id":"","modes":[]}],"#
        + #""microphones":[{"pcm":"hw:1,0","name":"USB Audio","id":"usb-1"}],"screens":[{"display":":0","size":"1920x1080"}]}"#
    )
  }

  @Test func `an empty list of devices says none`() {
    let none = DeviceList(cameras: [], microphones: [])
    #expect(none.table == "Cameras:\n  none\n\nMicrophones:\n  none")
    #expect(none.json == #"{"cameras":[],"microphones":[],"screens":[]}"#)
  }

  @Test func `a flag selects JSON for the list of devices`() throws {
    #expect(try DevicesCommand(["--json"], environment: [:]).asJSON)
    #expect(try !DevicesCommand(["--json=false"], environment: [:]).asJSON)
    #expect(try !DevicesCommand([], environment: ["HOLDFAST_X": "1"]).asJSON)
  }
}

@Suite struct ExitStatusTests {
  @Test(arguments: [
    "check rtmp://h/a/k --timeout=2s --json=true", "verify a.mp4 --journal=b", "repair a.mp4 --output=b.mp4",
    "export a.mp4 --output=b.mp4 --gaps=keep", "token --secret=a --name=A --role=host --session=s",
    "devices --json=true", "ctl status --name=a --watch=true", "serve --port=0", "publish --name=a",
  ])
  func `every command takes a value after an equals sign`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    _ = try Commands.named(words[0]).init(Array(words.dropFirst()), environment: [:])
  }

  @Test(
    arguments: [
      (["--version"], 0), (["--help"], 0), (["help"], 0), (["help", "devices"], 0),
      (["publish", "--help"], 0), (["devices", "--help"], 0), (["publish", "--bitrat", "--help"], 0),
      ([], 64), (["pubish"], 64), (["--versoin"], 64), (["--version", "x"], 64), (["ctl"], 64),
      (["publish", "--bitrat"], 64), (["serve", "--tls-cert", "/nowhere"], 66),
      (["publish", "--config", "/nowhere"], 66),
      (["publish", "--config", "/"], 78), ([""], 64),
    ] as [([String], Int32)])
  func `each outcome has its exit status`(arguments: [String], status: Int32) {
    #expect(Program.run(arguments: ["holdfast"] + arguments, environment: [:]) == status)
  }

  @Test func `a wrong environment variable makes only publish fail`() {
    let environment = ["HOLDFAST_BITRAT": "1"]
    #expect(Program.run(arguments: ["holdfast", "publish"], environment: environment) == 78)
    #expect(Program.run(arguments: ["holdfast", "--version"], environment: environment) == 0)
  }
}
