import HoldfastMediaModel
package import HoldfastMediaServer
import HoldfastPlatform

/// The media server inside a hub: members publish by their keys, and are played by play keys.
package final class EmbeddedMedia: Sendable {
  package let server: MediaServer
  private let gate = Locked<MediaGate?>(nil)

  /// Starts serving; nobody is admitted before a hub has it.
  package init(
    _ configuration: MediaServer.Configuration, observe: @escaping @Sendable (MediaServer.Event) -> Void
  ) throws {
    let gate = gate
    let admits: @Sendable (MediaQuestion) -> Bool = { question in
      gate.withLock { $0 }?.admits(question, at: .now) ?? false
    }
    server = try MediaServer(
      configuration,
      admission: MediaAdmission(
        publish: { stream, key, _ in
          // A member that comes back may find its own old connection in its place.
          admits(MediaQuestion(use: .publish, stream: stream, key: key ?? ""))
            ? .admit(takesOver: true) : .refuse
        }, play: { stream, key in admits(MediaQuestion(use: .play, stream: stream, key: key ?? "")) }),
      observe: observe)
    try server.start()
  }

  /// The patterns of the addresses, by the name and port that members use.
  package func addresses(host: String) -> MediaAddresses {
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    let base = "\(server.speaksTLS ? "rtmps" : "rtmp")://\(name):\(server.port)/live/{session}.{member}"
    return MediaAddresses(ingest: base + "?key={key}", play: base + "?key={key}")
  }

  func use(_ gate: MediaGate) { self.gate.withLock { $0 = gate } }

  package func stop() { server.stop() }
}
