import Glibc
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastPlatform

/// Serialized, as each waits for what it has typed.
@Suite struct SecretPromptTests {
  /// A terminal, and the side from which a person types.
  private final class TestTerminal: Sendable {
    let person: Int32
    let path: String
    private let own: Int32

    init() throws {
      person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (unlocked, number): (Int32, Int32) = (0, -1)
      guard ioctl(person, Self.setLock, &unlocked) == 0, ioctl(person, Self.getNumber, &number) == 0 else {
        throw TestFailure("no terminal")
      }
      path = "/dev/pts/\(number)"
      // Open all the time, so that what it shows is not lost with the last closing.
      own = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    /// TIOCSPTLCK and TIOCGPTN.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    deinit {
      close(own)
      close(person)
    }

    var settings: termios {
      var settings = termios()
      tcgetattr(own, &settings)
      return settings
    }

    var echoes: Bool { settings.c_lflag & tcflag_t(ECHO) != 0 }

    func type(_ text: String) { _ = write(person, text, text.utf8.count) }

    /// Everything that the terminal shows, once that ends with `ending`.
    func shown(until ending: String) -> String {
      var text = ""
      while !text.hasSuffix(ending) {
        var entry = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) > 0 else { break }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(person, &bytes, bytes.count)
        guard count > 0 else { break }
        text += String(decoding: bytes[..<count], as: UTF8.self)
      }
      return text
    }
  }

  /// The answer to what a person types, and all that the terminal showed.
  private func answer(to typed: String) throws -> (answer: TerminalAnswer?, shown: String, echoes: [Bool]) {
    let terminal = try TestTerminal()
    let result = Locked<TerminalAnswer?>(nil)
    var echoes = [terminal.echoes]
    let thread = try WorkerThread(name: "prompt") {
      let answer = try? readSecret(prompt: "Password: ", from: terminal.path)
      result.withLock { $0 = answer }
    }
    var shown = terminal.shown(until: "Password: ")
    echoes.append(terminal.echoes)
    terminal.type(typed)
    thread.join()
    echoes.append(terminal.echoes)
    terminal.type("x")
    shown += terminal.shown(until: "x")
    return (result.withLock { $0 }, shown, echoes)
  }

  @Test func `a secret is not shown, and the terminal is as before afterwards`() throws {
    let found = try answer(to: "geheim\n")
    #expect(found == (.text("geheim"), "Password: \r\nx", [true, false, true]))
  }

  @Test(
    arguments: [
      ("a\u{7F}bc\r", .text("bc")), ("aä€\u{8}\u{8}b\n", .text("ab")), ("wrong\u{15}right\n", .text("right")),
      ("\u{7F}\u{7F}a\n", .text("a")), ("\n", .text("")), ("abc\u{4}", .text("abc")), ("\u{4}", .cancelled),
      ("abc\u{3}", .cancelled),
    ] as [(String, TerminalAnswer)])
  func `a secret can be corrected and cancelled`(typed: String, expected: TerminalAnswer) throws {
    #expect(try answer(to: typed).answer == expected)
  }

  @Test func `without a terminal there is an error`() {
    #expect(throws: SystemError.self) { try readSecret(prompt: "x", from: "/dev/null") }
  }
}
