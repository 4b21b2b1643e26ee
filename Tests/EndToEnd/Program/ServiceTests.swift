import Foundation
import TestSupport
import TestTraits
import Testing

/// Notifications to systemd.
@Suite(.realTime) struct ServiceTests {
  private let folder = ScratchFolder()

  @Test func `systemd is notified of the states and of progress, also while interrupted`() throws {
    let manager = try NotifySocket()
    let environment = manager.environment.merging(["WATCHDOG_USEC": "1000000"]) { $1 }
    let subject = try HoldfastSubject(environment: environment, in: folder)
    #expect(try manager.hears("READY=1"), "\(subject.log)")
    #expect(try manager.hears("STATUS=live") && manager.hears("WATCHDOG=1"))
    subject.signal(SIGUSR1)
    #expect(try manager.hears("STATUS=interrupted (user)"))
    // Longer than the time limit for progress.
    for _ in 0..<3 { #expect(try manager.hears("WATCHDOG=1", unless: "STATUS=")) }
    subject.signal(SIGUSR2)
    #expect(try manager.hears("STATUS=live") && manager.hears("WATCHDOG=1"))
    subject.finish()
    #expect(try manager.hears("STOPPING=1"))
  }

  /// What a broadcast and a refused command write to standard error, as a journal's stream or as any file.
  private func lines(isJournal: Bool) throws -> (broadcast: [Substring], refused: [Substring]) {
    let stream = isJournal ? "$(stat -L -c %d:%i /dev/fd/2)" : "1:1"
    let launcher = ["/bin/sh", "-c", "JOURNAL_STREAM=\(stream) exec \"$@\"", "sh"]
    func lines(_ arguments: [String]) throws -> [Substring] {
      try HoldfastProcess.run(arguments, launcher: launcher).errors.split(separator: "\n")
    }
    let options = ["--video", "test", "--audio", "off", "--record", folder.path, "--duration", "1s"]
    return (try lines(["publish"] + options), try lines(["ctl", "--name", "nobody", "status"]))
  }

  @Test func `every line to the journal has its priority`() throws {
    let (lines, refused) = try lines(isJournal: true)
    #expect(lines.allSatisfy { $0.contains(#/^<[3-6]>/#) })
    for start in ["<5>live", "<6>recording open"] { #expect(lines.contains { $0.hasPrefix(start) }) }
    #expect(refused.count == 1 && refused[0].hasPrefix("<3>holdfast: "))
  }

  @Test func `the lines of a broadcast in a file have timestamps, those of other commands have none`() throws
  {
    let (lines, refused) = try lines(isJournal: false)
    #expect(lines.contains { $0.hasSuffix("Z live") })
    #expect(lines.allSatisfy { $0.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /#) })
    #expect(refused.count == 1 && refused[0].hasPrefix("holdfast: "))
  }
}
