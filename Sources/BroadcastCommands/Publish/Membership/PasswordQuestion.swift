import HoldfastCommands
import HoldfastPlatform

/// Asks the person who started the broadcast at a terminal for the session's password, beside the broadcast.
final class PasswordQuestion: Sendable {
  private let asked: Wakeup
  private let isWrong: Locked<Bool>
  private let thread: StoppableThread

  /// Nil where nobody sits.
  init?(
    of session: String, note: @escaping @Sendable (String) -> Void,
    answer: @escaping @Sendable (String) -> Void
  ) throws(SystemError) {
    guard isStartedAtTerminal else { return nil }
    let (asked, isWrong) = (try Wakeup(), Locked(false))
    (self.asked, self.isWrong) = (asked, isWrong)
    thread = try StoppableThread(name: "password") { stop in
      while (try? stop.poll([asked.descriptor], until: nil)) == .ready {
        asked.clear()
        let why = isWrong.withLock { $0 } ? "that was not the password" : "a password is needed"
        let prompt = "\r\nSession \(session): \(why). Type it, and press Enter (Ctrl-C: later): "
        if case .text(let text)? = try? readSecret(prompt: prompt, until: stop), !text.isEmpty {
          answer(text)
        } else if !stop.isSignalled {
          note("no password was given; holdfast ctl session-password gives it later")
        }
      }
    }
  }

  /// One question is open at a time; what is asked meanwhile is asked after its answer.
  @Sendable func ask(isWrong: Bool) {
    self.isWrong.withLock { $0 = isWrong }
    asked.signal()
  }

  func stop() { thread.stop() }
}
