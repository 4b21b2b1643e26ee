import HoldfastMediaModel

/// A session's event stream, held by its first member.
final class EventReader {
  let session: Int
  var connection: ClientConnection?
  var isOpen = false
  var failures = 0
  var due = MonotonicTime(nanoseconds: 0)
  /// When changes were sent whose events have not come yet.
  var expected: [MonotonicTime] = []

  init(session: Int) { self.session = session }
}
