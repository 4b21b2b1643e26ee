import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform

/// Where a box keeps what it is in its session, so that it is the same member after a crash or a reboot.
struct MembershipRecords: Sendable {
  private let path: String

  private static let limit = 64 * 1024

  /// `folder` is that of the broadcast's journals; another session has another record.
  init(folder: String, session: String) {
    let digest = hexadecimal(sha256(Array(session.lowercased().utf8))).prefix(16)
    path = "\(folder)/session-\(digest)"
  }

  struct Kept {
    /// The broadcast that was the member.
    let broadcast: String
    let record: MembershipRecord
  }

  /// Nil if there is none, or if it can't be read.
  func read() -> Kept? {
    guard let bytes = try? FileDescriptor.contents(of: path, limit: Self.limit),
      let json = try? JSONValue(reading: bytes.span), let broadcast = json.field("broadcast")?.text,
      let record = json.field("record").flatMap(MembershipRecord.init)
    else { return nil }
    return Kept(broadcast: broadcast, record: record)
  }

  /// On the disk when it returns.
  func write(_ record: MembershipRecord, of broadcast: String) throws(SystemError) {
    let place = try FilePlace(path)
    let json: JSONValue = ["broadcast": .text(broadcast), "record": record.json]
    try place.replace(by: Array("\(json)\n".utf8))
    try place.synchronizeFolder()
  }
}
