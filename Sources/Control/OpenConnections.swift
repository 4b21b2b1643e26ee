internal import Glibc
internal import MediaModel
internal import Platform

/// The connections of a server, each with the time by which it has to have its next answer.
///
/// libmicrohttpd's own limit counts from the last byte, so who sends a byte now and then could stay for ever.
struct OpenConnections<ID: Hashable> {
  struct Connection {
    let descriptor: Int32
    let isAdmitted: Bool
    /// When it came, or was answered last.
    var since: MonotonicTime
    var isBusy = false
  }

  private var all: [ID: Connection] = [:]
  private let limits: ControlLimits

  init(_ limits: ControlLimits) {
    self.limits = limits
  }

  subscript(id: ID) -> Connection? {
    get { all[id] }
    set { all[id] = newValue }
  }

  var count: Int { all.count }
  /// Somebody's request has come, and is not answered yet.
  var areBusy: Bool { all.values.contains { $0.isBusy } }

  private var patience: MediaTime {
    all.count >= limits.connections ? limits.patienceWhenFull : limits.patience
  }

  /// When the first of them is overdue; nil when there are none.
  var nextDeadline: MonotonicTime? {
    all.values.map(\.since).min().map { $0 + patience }
  }

  /// Ends those that took too long; the server finds them at their end, and removes them.
  func endOverdue(at now: MonotonicTime) {
    let patience = patience
    for connection in all.values where now >= connection.since + patience {
      shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }
  }
}
