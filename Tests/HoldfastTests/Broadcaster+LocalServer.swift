import HoldfastTesting

@testable import Holdfast

extension Holdfast.Configuration {
  /// Small test signals, without a recording.
  static func ofTestSignals(_ change: (inout Self) -> Void = { _ in }) -> Self {
    var configuration = Self()
    configuration.video.source = .testPicture
    configuration.video.size = PictureSize(width: 320, height: 240)
    configuration.audio.source = .testTone
    configuration.recording.directory = nil
    change(&configuration)
    return configuration
  }
}

extension Broadcaster {
  /// Publishes test signals to `server` as `hall`, without a recording.
  static func ofTestSignals(to server: LocalServer) throws -> Broadcaster {
    let output = Output(try server.address(of: "hall"))
    return try Broadcaster(
      .ofTestSignals { ($0.video.source, $0.outputs) = (.source(TestCamera()), [output]) })
  }
}
