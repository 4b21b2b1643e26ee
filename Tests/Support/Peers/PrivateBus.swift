internal import Foundation
internal import Glibc

/// A message bus of a test's own, on which everybody may do everything.
package final class PrivateBus: @unchecked Sendable {  // guarded by `lock`
  private let folder: ScratchFolder
  private let lock = NSLock()
  private var process: PeerProcess?

  package init() throws {
    folder = try ScratchFolder()
    _ = try folder.write(
      """
      <busconfig>
        <listen>unix:path=\(folder.file("bus"))</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/>
          <allow own="*"/>
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    try start()
  }

  package var address: String { "unix:path=" + folder.file("bus") }

  /// For the processes that take it for the machine's.
  package var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

  /// Starts it again at the same address; it has forgotten everybody.
  package func start() throws {
    let output = folder.file("bus-\(UUID().uuidString).log")
    let started = try PeerProcess(
      [
        "dbus-daemon", "--config-file", folder.file("bus.conf"), "--nofork", "--nopidfile", "--print-address",
      ],
      output: output, errors: output + ".errors")
    lock.withLock { process = started }
    // It prints its address when it listens there.
    guard Peers.wait(until: { started.hasEnded || started.said.contains("unix:") }), !started.hasEnded else {
      throw Peers.NotReady(description: started.said)
    }
  }

  package func freeze() { lock.withLock { process?.signal(SIGSTOP) } }
  package func thaw() { lock.withLock { process?.signal(SIGCONT) } }

  package func kill() {
    lock.withLock {
      process?.stop()
      process = nil
    }
  }
}
