import HoldfastHTTP
import HoldfastHub
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRedisStore

/// What `holdfast hub` is told on its command line.
struct HubSettings: Sendable {
  enum StorePlace: Hashable, Sendable {
    /// Nil is the file in the state folder.
    case file(String?)
    case redis(RedisAddress)
  }

  enum Media: Hashable, Sendable {
    /// The server inside the hub, and the name and port by which members reach it.
    case embedded(port: UInt16, name: String?)
    case elsewhere(MediaAddresses)
  }

  var listen = HubSettings.usualAddress
  var certificate: CertificateFiles?
  var hsts = false
  var tokenSecret: String?
  var store = StorePlace.file(nil)
  var storeTLS = TLSSettings()
  var media = Media.embedded(port: 1935, name: nil)
  var publicOrigin: String?
  var proxies = TrustedProxies()
  var anyoneCreates = false
  var isInsecure = false
  var connections: Int?
  var backup: String?

  static let usualAddress = "127.0.0.1:8787"

  static let options = [
    Flag(
      "--listen", "HOST:PORT",
      help: "serve here; beyond this machine with --token-secret and TLS [\(usualAddress)]"),
    Flag("--tls-cert", "FILE", help: "serve over TLS with this PEM certificate chain; again on SIGHUP"),
    Flag("--tls-key", "FILE", help: "private key for --tls-cert, in PEM"),
    Flag("--hsts", help: "with --tls-cert, tell browsers to use only TLS for this host name for a year"),
    Flag(
      "--token-secret", "FILE",
      help:
        "require tokens signed with this secret (see holdfast token); without it, only this user of this machine is served"
    ),
    Flag(
      "--store", "FILE|URL",
      help:
        "where sessions live: an SQLite file, or redis://HOST:PORT/DATABASE, rediss://, redis+sentinel://HOST,HOST/NAME; @FILE or env:NAME reads the address [sessions.sqlite in the state folder]"
    ),
    Flag("--store-ca", "FILE", help: "also trust the certificates in this PEM file for rediss://"),
    Flag(
      "--ingest", "PATTERN",
      help:
        "where members publish to, on a media server of its own: rtmp://HOST/live/{session}.{member}?key={key}"
    ),
    Flag(
      "--play", "PATTERN",
      help: "where members are played from, with --ingest: rtmp://HOST/live/{session}.{member}"),
    Flag(
      "--media-port", "PORT|off",
      help:
        "port of the media server inside the hub, or another free one where it is taken; with redis:// only if given [1935]"
    ),
    Flag(
      "--media-name", "HOST",
      help:
        "name by which members reach the media server inside the hub [that of --public-url, or of --listen]"),
    Flag("--public-url", "URL", help: "how members reach the hub behind a proxy: https://NAME"),
    Flag(
      "--trusted-proxy", "CIDR", isList: true,
      help: "believe X-Forwarded-For of this network; may be repeated"),
    Flag("--anyone-creates", help: "let every token create its session, not only a host's"),
    Flag(
      "--insecure-lan",
      help: "listen beyond this machine without TLS: tokens, passwords and keys cross the network in clear"),
    Flag("--max-connections", "N", help: "maximum number of connections [\(HTTPLimits.tcp.connections)]"),
    Flag("--backup", "FILE", help: "copy the SQLite store to this new file, also while a hub runs, and end"),
  ]

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: HubCommand.name, options: Self.options)
    listen = try arguments.value(of: "--listen", .hostAndPort) ?? listen
    hsts = try arguments.isOn("--hsts")
    tokenSecret = try arguments.value(of: "--token-secret", .path)
    anyoneCreates = try arguments.isOn("--anyone-creates")
    isInsecure = try arguments.isOn("--insecure-lan")
    connections = try arguments.value(of: "--max-connections", .count(of: "connections", in: 16...100_000))
    backup = try arguments.value(of: "--backup", .path)
    storeTLS.caFile = try arguments.value(of: "--store-ca", .path)
    publicOrigin = try arguments.value(of: "--public-url", .origin)
    for network in try arguments.secrets(of: "--trusted-proxy", .network) { proxies.add(network) }
    store = try arguments.storePlace(environment)
    media = try arguments.media(isShared: isShared)
    certificate = try CertificateFiles(
      certificate: arguments.value(of: "--tls-cert", .path), key: arguments.value(of: "--tls-key", .path),
      hsts: hsts)
    if backup != nil, isShared {
      throw Refusal(.usage, "--backup", "the store is a Redis server", "copy it with Redis' own BGSAVE")
    }
  }

  /// Whether several hubs may have the store.
  private var isShared: Bool { if case .redis = store { true } else { false } }
}

extension Arguments where Known == Flag {
  fileprivate func storePlace(_ environment: [String: String]) throws(Refusal) -> HubSettings.StorePlace {
    guard let given = try value(of: "--store", .name) else { return .file(nil) }
    // The address may hold a password, so that errors don't show it.
    let text = try SecretReference(environment: environment).find(given, subject: "--store", status: .usage)
    guard text.contains("://") else { return .file(text) }
    return .redis(try valid(RedisAddress(text), for: "--store"))
  }

  fileprivate func media(isShared: Bool) throws(Refusal) -> HubSettings.Media {
    let (ingest, play) = (try value(of: "--ingest", .mediaPattern), try value(of: "--play", .mediaPattern))
    let port = try value(of: "--media-port", .portOrOff)
    let name = try value(of: "--media-name", .name)
    if let ingest {
      guard port ?? nil == nil, name == nil else {
        throw Refusal(
          .usage, "--ingest", "the media server inside the hub is not used then",
          "leave --media-port and --media-name out")
      }
      return .elsewhere(MediaAddresses(ingest: ingest, play: play))
    }
    guard play == nil else {
      throw Refusal(.usage, "--play", "members publish nowhere", "add --ingest")
    }
    switch port {
    case .some(.none): return .elsewhere(MediaAddresses())
    case .some(.some(let port)): return .embedded(port: port, name: name)
    case .none:
      guard !isShared else {
        throw Refusal(
          .usage, "--store", "hubs with one Redis can't share the media server inside one of them",
          "add --ingest PATTERN, or --media-port off, or, if this is the only hub, --media-port 1935")
      }
      return .embedded(port: 1935, name: name)
    }
  }
}

extension ValueKind where Value == UInt16? {
  fileprivate static let portOrOff = ValueKind(
    "PORT|off", what: "not a port", hint: "write 0 to 65535, or off",
    parse: { $0 == "off" ? .some(nil) : UInt16($0).map(Optional.some) }, write: { $0?.description ?? "off" })
}

extension ValueKind where Value == String {
  fileprivate static let mediaPattern = text(
    "PATTERN", what: "not an address with {session} and {member}",
    hint: "write rtmp://HOST/live/{session}.{member}?key={key}"
  ) { $0.contains("://") && $0.contains("{session}") && $0.contains("{member}") }

  /// `https://NAME`, without a path.
  fileprivate static let origin = ValueKind(
    "URL", what: "not https://NAME or http://NAME", hint: "leave paths, users and queries out",
    parse: { text in
      let text = text.hasSuffix("/") ? String(text.dropLast()) : text
      guard let end = text.firstRange(of: "://")?.upperBound, ["https://", "http://"].contains(text[..<end]),
        !text[end...].isEmpty, !text[end...].contains(where: { "/?#@ ".contains($0) })
      else { return nil }
      return text.lowercased()
    }, write: { $0 })
}

extension ValueKind where Value == TrustedProxies.Network {
  fileprivate static let network = ValueKind(
    placeholder: "CIDR", read: { (text) throws(InvalidValue) in try TrustedProxies.Network(text) })
}
