import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import HoldfastPublishing

/// Finds network sources that are outputs of the same broadcast, which would show itself in itself for ever.
struct OwnOutputs {
  let outputs: [Output.Settings]
  /// All addresses of a host, those of this machine under one name.
  let addresses: (_ host: String) -> Set<String>

  /// The name of this machine's addresses.
  static let local = "local"

  /// The id of the output that `source` would play; nil if there is none.
  func output(playedBy source: SourceAddress) -> String? { outputs.first { isSame($0.address, source) }?.id }

  private func isSame(_ output: OutputAddress, _ source: SourceAddress) -> Bool {
    let (host, port, path) = output.place
    guard source.scheme.rawValue.hasPrefix(output.kind), port == source.port,
      path.map({ Self.withoutQuery($0) == Self.withoutQuery(source.path) }) ?? true
    else { return false }
    // What calls our listener at this machine, or what both are called at.
    let isCalled = source.isListener ? addresses("localhost") : addresses(source.host)
    return host == source.host || !isCalled.isDisjoint(with: addresses(host))
  }

  private static func withoutQuery(_ path: String) -> String {
    let path = path.prefix { $0 != "?" }
    return String(path.hasSuffix("/") ? path.dropLast() : path)
  }
}

extension Configuration {
  private static let lookUpTimeout = MediaTime.seconds(2)

  /// Throws if a source is one of the outputs. Looks names up, which may block for some seconds.
  func refuseOwnOutputs() throws(CaptureError) {
    let own = OwnOutputs(outputs: outputSettings) { host in
      guard let stop = try? Wakeup(),
        let found = try? SocketAddress.all(of: host, port: 0, until: .now + Self.lookUpTimeout, stop: stop)
      else { return [host] }
      return Set(found.map { $0.isOfThisMachine ? OwnOutputs.local : $0.host })
    }
    let tiles = programme.tiles.flatMap { [(TrackKind.video, $0.video.address), (.audio, $0.audio.address)] }
    for (track, source) in [(.video, video.source.address), (.audio, audio.source.address)] + tiles {
      guard let source, let id = own.output(playedBy: source) else { continue }
      throw CaptureError(
        .unsuitable, track, device: source.redacted, what: "this source is the broadcast's own output \(id)",
        hint: "choose another source, or leave the output out", isRemote: true)
    }
  }
}
