import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform

/// Shows the server's events, one line each: on standard error, or as JSON on standard output.
final class ServeConsole: Sendable {
  private let terminal = Terminal(isLog: true)
  private let directory: String?
  /// Standard output, with `--json`.
  private let lines: EventFile?
  /// The codecs already shown for each stream.
  private let shownCodecs = Locked<[String: [Codec?]]>([:])

  init(_ configuration: MediaServer.Configuration, asJSON: Bool) throws(Refusal) {
    directory = configuration.directory
    lines = asJSON ? try EventFile("-") { [terminal] in terminal.print($0, .warning) } : nil
  }

  func warn(_ text: String) { terminal.print(text, .warning) }

  /// Nothing more is shown.
  func close() {
    lines?.finish()
    terminal.finish()
  }

  @Sendable func show(_ event: MediaServer.Event) {
    if let lines { return lines.write(event.json) }
    if let line = line(for: event) { terminal.print(line, event.priority) }
  }

  /// Nil for an event not worth a line.
  func line(for event: MediaServer.Event) -> String? {
    switch event {
    case .listening(let address, let speaksTLS):
      "serving at \(speaksTLS ? "rtmps" : "rtmp")://\(address)/live/NAME, "
        + (directory.map { "files in \($0)" } ?? "no files") + "; for demos and tests, not for production"
    case .publishing(let stream, let type, let peer, let path):
      "\(stream): \(peer) is publishing (\(type.rawValue))" + (path.map { ", written to \($0)" } ?? "")
    case .arrived(let report): newTracks(report)
    case .data(let stream, let name, let text):
      "\(stream): event \(shown(name))" + (text.map { " " + shown($0) } ?? "")
    case .recorded(let path, let bytes): "written: \(path), \(bytes) bytes"
    case .movedAside(let path, let new): "kept: \(path) is now \(new)"
    case .recordingFailed(let path, let reason): "recording stopped: \(path): \(reason)"
    case .ended(let report, let reason): "\(report), \(Self.text(for: reason))"
    case .playing(let stream, let peer): "\(stream): \(peer) is playing"
    case .skipped(let stream, let peer, let messages):
      "\(stream): \(peer) was too slow and missed \(messages) messages"
    case .playerLeft(let stream, let peer): "\(stream): \(peer) stopped playing"
    case .refused(let peer, let stream, let reason):
      (stream.map { "\($0): " } ?? "") + "\(peer) refused: \(reason.rawValue)"
    case .cutOff(let peer, let reason): "\(peer) disconnected: \(reason)"
    case .certificateRenewed: "certificate reloaded"
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
    case .unpublished: "ended by the publisher"
    case .disconnected: "the publisher disconnected"
    case .serverStopped: "the server stopped"
    case .replaced: "another publisher has taken over"
    case .revoked: "no longer admitted"
    }
  }
}

extension MediaServer.Event {
  var priority: LinePriority {
    switch self {
    case .recordingFailed: .error
    case .refused, .cutOff, .skipped: .warning
    case .listening, .publishing, .ended, .certificateRenewed, .stopped: .notice
    case .arrived, .data, .recorded, .movedAside, .playing, .playerLeft: .info
    }
  }
}
