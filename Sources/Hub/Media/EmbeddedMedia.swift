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
    // A key has to last until the publish begins, which may be much longer than the key.
    let admits: @Sendable (MediaQuestion, MediaAdmission.Occasion) -> Bool = { question, occasion in
      gate.withLock { $0 }?.admits(question, at: occasion == .start ? .now : nil) ?? false
    }
    server = try MediaServer(
      configuration,
      admission: MediaAdmission(
        publish: { stream, key, _, occasion in
          // A member that comes back may find its own old connection in its place.
          admits(MediaQuestion(use: .publish, stream: stream, key: key ?? ""), occasion)
            ? .admit(takesOver: true) : .refuse
        },
        play: { stream, key, occasion in
          admits(MediaQuestion(use: .play, stream: stream, key: key ?? ""), occasion)
        }),
      observe: observe)
    try server.start()
  }

  /// The patterns of the addresses, by the name and port that members use.
  package func addresses(host: String) -> MediaAddresses {
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    let base = "\(server.speaksTLS ? "rtmps" : "rtmp")://\(name):\(server.port)/live/{session}.{member}"
    return MediaAddresses(ingest: base + "?key={key}", play: base + "?key={key}")
  }

  /// Unverified: the certificate is for the name that members use, not for the address by which the hub reaches itself.
  package var puller: TilePuller { TilePuller(addresses(host: ownHost), tls: TLSSettings(isVerified: false)) }

  private var ownHost: String {
    let host = server.address.prefix(through: server.address.lastIndex(of: ":") ?? server.address.startIndex)
    return switch host {
    case "0.0.0.0:": "127.0.0.1"
    case "[::]:": "[::1]"
    default: String(host.dropLast())
    }
  }

  func use(_ gate: MediaGate) { self.gate.withLock { $0 = gate } }

  package func stop() { server.stop() }
}
