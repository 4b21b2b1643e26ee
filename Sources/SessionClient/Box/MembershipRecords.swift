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

  /// Nil if there is none, or if it can't be read.
  func read() -> MembershipRecord? {
    guard let bytes = try? FileDescriptor.contents(of: path, limit: Self.limit),
      let json = try? JSONValue(reading: bytes.span)
    else { return nil }
    return MembershipRecord(json)
  }

  /// On the disk when it returns.
  func write(_ record: MembershipRecord) throws(SystemError) {
    let place = try FilePlace(path)
    try place.replace(by: Array("\(record.json)\n".utf8))
    try place.synchronizeFolder()
  }
}
