import HoldfastMediaModel
import HoldfastStores

/// What a server says of itself (`INFO`), as far as it matters to a store.
struct ServerInformation {
  private let fields: [Substring: Substring]

  init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ":", maxSplits: 1) }
    fields = Dictionary(
      lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { _, last in last })
  }

  /// The oldest version that has what the scripts need.
  static let neededMajorVersion = 7

  /// Throws if sessions can't be kept there.
  func check(_ server: String, masterOf sentinelName: String?) throws(RedisFailure) {
    guard let version = fields["redis_version"] else { throw .unexpected(server) }
    guard let major = version.split(separator: ".").first.flatMap({ Int($0) }),
      major >= Self.neededMajorVersion
    else {
      throw .connection(
        .failed(
          "\(server) runs Redis \(String(version.prefix(20)).printable), and a store needs \(Self.neededMajorVersion).0 or newer; update it"
        ))
    }
    guard fields["cluster_enabled"] != "1" else { throw .connection(.failed(RedisFailure.cluster(server))) }
    guard fields["loading"] != "1" else { throw RedisFailure("LOADING", from: server) }
    guard fields["role"] == "master" else {
      throw .connection(
        .readOnly(
          sentinelName.map {
            "\(server), which Sentinel names as the master of \($0), is a replica; a failover may be under way"
          }
            ?? "\(server) is a replica; give the address of its master, or of Sentinels: redis+sentinel://HOST,HOST/NAME"
        ))
    }
    if let policy = fields["maxmemory_policy"], policy.hasPrefix("allkeys") {
      throw .connection(
        .failed(
          "\(server) would drop sessions where it lacks memory (maxmemory-policy \(String(policy.prefix(20)).printable)); set it to noeviction"
        ))
    }
  }
}
