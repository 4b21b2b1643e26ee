import HoldfastBroadcasting
import Testing

@testable import HoldfastBroadcastCommands
@testable import HoldfastCommands

@Suite struct RefusalTests {
  @Test(
    arguments: WrongInput.flags.map { ($0.split(separator: " ").map(String.init), $1) }
      + WrongInput.oddFlags.map { ($0, $1) })
  func `wrong flags are explained with a remedy`(flags: [String], text: String) {
    let refused = refusal(of: flags)
    #expect(refused?.description == text && refused?.status == .usage)
  }

  @Test(arguments: WrongInput.variables.map { ($0, $1) })
  func `wrong variables are explained as configuration errors`(variable: String, text: String) {
    let parts = variable.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let refused = refusal(variables: [parts[0]: parts[1]])
    #expect(refused?.description == text && refused?.status == .configuration)
  }

  @Test(arguments: WrongInput.settings.map { ($0, $1) })
  func `wrong settings in the file are explained with their place`(file: String, text: String) {
    let refused = refusal(file: file)
    #expect(refused?.description == text && refused?.status == .configuration)
  }

  @Test(arguments: WrongInput.commands.map { ($0, $1) })
  func `wrong usage of the other commands is explained with a remedy`(line: String, text: String) {
    let words = line.split(separator: " ").map(String.init)
    let refused = #expect(throws: Refusal.self) {
      try Commands.named(words[0]).init(Array(words.dropFirst()), environment: [:])
    }
    #expect(refused?.description == text && refused?.status == .usage)
  }

  @Test func `a missing configuration file has its own exit status`() {
    let (what, hint) = ("No such file or directory", "use a readable JSON5 file")
    let refused = refusal(of: ["--config", "nowhere.json5"])
    #expect(refused == Refusal(.notFound, "--config nowhere.json5", what, hint))
  }

  @Test(arguments: ["verify", "repair"])
  func `a missing recording has its own exit status`(name: String) throws {
    let command = try Commands.named(name).init(["/nowhere/a.mp4"], environment: [:])
    let refused = #expect(throws: Refusal.self) { try command.run() }
    #expect(refused?.status == .notFound)
  }

  @Test func `a folder is rejected as a configuration file`() {
    #expect(throws: Refusal(.configuration, "--config /", "Is a directory", "use a readable JSON5 file")) {
      try ConfigurationReader(environment: [:]).read(["--config", "/"])
    }
  }

  @Test func `a configuration file that is not UTF-8 is rejected`() {
    #expect(throws: Refusal(.configuration, "a", "not UTF-8 text", "save it as UTF-8")) {
      try ConfigurationFile.read([0x7B, 0xFF, 0x7D], path: "a")
    }
  }

  @Test func `a contradiction names both places, and is a usage error if one is a flag`() {
    let mixed = refusal(of: ["--encoder", "copy"], variables: ["HOLDFAST_VIDEO": "test"])
    let unflagged = refusal(variables: ["HOLDFAST_VIDEO": "test"], file: "{ encoder: 'copy' }")
    #expect([mixed?.status, unflagged?.status] == [.usage, .configuration])
    #expect(mixed?.subject == "--encoder copy and HOLDFAST_VIDEO=test")
    #expect(unflagged?.subject == "encoder copy in hall.json5 and HOLDFAST_VIDEO=test")
  }

  @Test func `a refusal names the place that took precedence`() {
    let refused = refusal(
      of: ["--bitrate", "1"], variables: ["HOLDFAST_BITRATE": "2"], file: "{ bitrate: 3 }")
    #expect(refused?.subject == "--bitrate 1")
  }

  @Test func `a refusal stays on one line and is limited in length`() {
    let refused = refusal(of: ["--name", String(repeating: "é\n", count: 500)])
    #expect(refused?.description.contains("\n") == false && (refused?.subject.count ?? 0) < 100)
  }
}
