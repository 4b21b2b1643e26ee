import HoldfastMediaModel
import HoldfastSession

/// The last beat of a lease, as the file has it.
struct StoredBeat: Hashable, Sendable {
  let key: SessionKey
  /// The session's row and version.
  let row: Int64
  let count: UInt64
  let lease: Session.Lease
  let at: WallTime
  let statistics: String?
}
