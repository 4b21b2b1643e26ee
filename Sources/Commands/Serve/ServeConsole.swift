import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform

/// Shows the server's events on standard error, one line each.
final class ServeConsole: Sendable {
  private let terminal = Terminal()
  private let directory: String?
  /// The codecs already shown for each stream.
  private let shownCodecs = Locked<[String: [Codec?]]>([:])

  init(_ configuration: MediaServer.Configuration) {
    directory = configuration.directory
  }

  @Sendable func show(_ event: MediaServer.Event) {
    if let line = line(for: event) { terminal.print(line) }
  }

  /// Nil for an event not worth a line.
  func line(for event: MediaServer.Event) -> String? {
    switch event {
    case .listening(let address):
      "serving at rtmp://\(address)/live/NAME, "
        + (directory.map { "files in \($0)" } ?? "no files") + "; for demos and tests, no production server"
    case .publishing(let stream, let type, let peer, let path):
      "\(stream): \(peer) publishes (\(type.rawValue))" + (path.map { ", written to \($0)" } ?? "")
    case .arrived(let report): newTracks(report)
    case .data(let stream, let name, let text):
      "\(stream): event \(shown(name))" + (text.map { " " + shown($0) } ?? "")
    case .recorded(let path, let bytes): "written: \(path), \(bytes) bytes"
    case .recordingFailed(let path, let reason): "not written any more: \(path): \(reason)"
    case .ended(let report, let reason): "\(report), \(Self.text(for: reason))"
    case .playing(let stream, let peer): "\(stream): \(peer) plays"
    case .skipped(let stream, let peer, let messages):
      "\(stream): \(peer) was too slow and missed \(messages) messages"
    case .playerLeft(let stream, let peer): "\(stream): \(peer) plays no more"
    case .refused(let peer, let stream, let why):
      (stream.map { "\($0): " } ?? "") + "\(peer) refused: \(why.rawValue)"
    case .cutOff(let peer, let reason): "\(peer) sent away: \(reason)"
    case .stopped: "stopped"
    }
  }

  private func newTracks(_ report: StreamReport) -> String? {
    let codecs = [report.video, report.audio].compactMap(\.self).map(\.codec)
    let isNew = shownCodecs.withLock { shownCodecs in
      defer { shownCodecs[report.name] = codecs }
      return shownCodecs[report.name] != codecs
    }
    return isNew
      ? "\(report.name): " + codecs.map { $0?.name ?? "unknown codec" }.joined(separator: ", ") : nil
  }

  private static func text(for reason: MediaServer.EndReason) -> String {
    switch reason {
    case .unpublished: "ended by its publisher"
    case .disconnected: "its publisher is gone"
    case .serverStopped: "the server stops"
    }
  }
}
