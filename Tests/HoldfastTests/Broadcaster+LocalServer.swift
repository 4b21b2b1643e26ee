import HoldfastTesting

@testable import Holdfast

extension Broadcaster {
  /// Publishes test signals to `server` as `hall`, without a recording.
  static func ofTestSignals(to server: LocalServer) throws -> Broadcaster {
    var configuration = Configuration()
    configuration.video.source = .source(TestCamera())
    configuration.video.size = PictureSize(width: 320, height: 240)
    configuration.audio.source = .testTone
    configuration.recording.directory = nil
    configuration.outputs = [Output(try server.address(of: "hall"))]
    return try Broadcaster(configuration)
  }
}
