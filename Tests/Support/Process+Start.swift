package import Foundation
internal import Glibc

extension Process {
  /// Runs it with no signal blocked. A thread of Dispatch has them blocked, and what it starts would inherit that.
  package func start() throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try run()
  }
}
