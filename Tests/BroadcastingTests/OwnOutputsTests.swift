import HoldfastMediaSources
import HoldfastPublishing
import Testing

@testable import HoldfastBroadcasting

@Suite struct OwnOutputsTests {
  /// The id of the output that `source` would play, where cam.lan is another machine with two addresses.
  private func played(_ source: String, outputs: [String]) throws -> String? {
    var configuration = Configuration()
    configuration.outputs.requests = try outputs.map { OutputRequest(address: try OutputAddress($0)) }
    let own = OwnOutputs(outputs: configuration.outputSettings) { host in
      switch host {
      case "localhost", "127.0.0.1", "::1", "box.lan", "0.0.0.0": [OwnOutputs.local]
      case "cam.lan": ["192.0.2.7", "192.0.2.8"]
      default: [host]
      }
    }
    return own.output(playedBy: try SourceAddress(source))
  }

  @Test(arguments: [
    ("rtmp://localhost/live/a", "rtmp://127.0.0.1/live/a"), ("rtmp://h:1935/live/a", "rtmp://h/live/a?key=x"),
    ("rtsp://cam.lan/a", "rtsp://192.0.2.8:554/a"), ("rtsp://u:p@[::1]:8554/a/", "rtsp://box.lan:8554/a"),
    ("srt://:9000?mode=listener", "srt://box.lan:9000"), ("srt://h:9000", "srt://h:9000?streamid=x"),
  ])
  func `a source that is an output is found, under whatever name`(source: String, output: String) throws {
    #expect(try played(source, outputs: ["rtmp://other/a/b", output]) != nil)
    #expect(try played(source, outputs: ["rtmp://other/a/b"]) == nil)
  }

  @Test(arguments: [
    ("rtmp://localhost/live/b", "rtmp://127.0.0.1/live/a"),
    ("rtmp://localhost:1936/live/a", "rtmp://localhost/live/a"),
    ("rtsp://cam.lan/a", "rtsp://192.0.2.9/a"), ("http://localhost:1935/live/a", "rtmp://localhost/live/a"),
    ("srt://:9000?mode=listener", "srt://cam.lan:9000"), ("srt://:9001?mode=listener", "srt://box.lan:9000"),
  ])
  func `another stream of the same server is no output`(source: String, output: String) throws {
    #expect(try played(source, outputs: [output]) == nil)
  }
}
