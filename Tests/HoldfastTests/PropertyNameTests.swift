import HoldfastBroadcasting
import HoldfastTesting
import Testing

@testable import Holdfast

private typealias Configuration = Holdfast.Configuration
private typealias Setting = HoldfastBroadcasting.Configuration.Setting

/// Errors name the properties of `Configuration`, never the program's settings and flags.
@Suite struct PropertyNameTests {
  /// The properties named by the error of a changed configuration with one output.
  private func invalid(_ change: (inout Configuration) -> Void) throws -> [String] {
    var configuration = Configuration()
    configuration.outputs = [Output(try OutputAddress("rtmp://localhost/live/hall"))]
    change(&configuration)
    let error = #expect(throws: Holdfast.ConfigurationError.self) { try Broadcaster(configuration) }
    let text = try #require(error).description
    #expect(!text.contains("--") && !text.contains("holdfast "), "\(text)")
    return error?.properties ?? []
  }

  struct Invalid: Sendable {
    let properties: [String]
    let change: @Sendable (inout Holdfast.Configuration) -> Void

    init(_ properties: String..., change: @escaping @Sendable (inout Holdfast.Configuration) -> Void) {
      self.properties = properties
      self.change = change
    }
  }

  @Test(arguments: [
    Invalid("name") { $0.name = "a b" },
    Invalid("video.frameRate") { $0.video.frameRate = 0 },
    Invalid("video.frameRate") { $0.video.frameRate = FrameRate(numerator: -30, denominator: 1) },
    Invalid("video.source", "audio.source") { ($0.video.source, $0.audio.source) = (.off, .off) },
    Invalid("video.encoder", "video.codec") { ($0.video.encoder, $0.video.codec) = (.x264, .hevc) },
    Invalid("loopsFiles") { $0.loopsFiles = true },
    Invalid("video.keyframeInterval") { $0.video.keyframeInterval = .zero },
    Invalid("recording.directory") { ($0.recording.directory, $0.outputs) = (nil, []) },
    Invalid("recording.syncInterval") { $0.recording.syncInterval = .seconds(-1) },
    Invalid("recording.segmentCommandTimeout") { $0.recording.segmentCommandTimeout = .seconds(-1) },
    Invalid("session.duration") { $0.session.duration = .seconds(-1) },
    Invalid("session.alertBefore") { $0.session.alertBefore = .seconds(-1) },
    Invalid("session.gateTimeout") { $0.session.gateTimeout = .zero },
    Invalid("session.asksGateOnResume") { $0.session.asksGateOnResume = true },
    Invalid("session.maxTotalDuration", "session.maxDuration") {
      ($0.session.maxTotalDuration, $0.session.maxDuration) = (.seconds(1), .seconds(2))
    },
    Invalid("outputs") { $0.outputs = [$0.outputs[0], $0.outputs[0]].map { Output($0.address, id: "a") } },
    Invalid("outputs") { $0.outputs[0].id = "recording" },
    Invalid("outputs[0].id") { $0.outputs[0].id = "a b" },
    Invalid("outputs[0].connectTimeout") { $0.outputs[0].connectTimeout = .seconds(-1) },
    Invalid("outputs[0].stallTimeout") { $0.outputs[0].stallTimeout = .zero },
    Invalid("outputs[0].giveUpAfter") { $0.outputs[0].giveUpAfter = .seconds(-1) },
    Invalid("outputs[1].address", "video.codec") {
      $0.video.codec = .av1
      if let address = try? OutputAddress("srt://localhost:9000") { $0.outputs.append(Output(address)) }
    },
  ])
  func `an error names the invalid properties`(_ one: Invalid) throws {
    #expect(try invalid(one.change) == one.properties)
  }

  @Test func `a gate in code counts as a gate to ask on resume`() throws {
    var configuration = Configuration()
    configuration.session.asksGateOnResume = true
    _ = try Broadcaster(configuration, gate: FakeGate())
  }

  @Test func `every setting maps to its own property`() {
    let names = Setting.allCases.map { $0.property(ofOutput: 0) }
    #expect(Set(names).count == Setting.allCases.count && !names.contains { $0.contains("--") })
  }
}
