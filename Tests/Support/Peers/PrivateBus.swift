internal import Foundation

/// A message bus of a test's own, on which everybody may do everything.
package final class PrivateBus: Peer {
  private let folder: ScratchFolder
  package let process: PeerProcess

  package init() throws {
    let folder = try ScratchFolder()
    let configuration = try folder.write(
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
    process = try PeerProcess(
      ["dbus-daemon", "--config-file", configuration, "--nofork", "--nopidfile", "--print-address"],
      output: folder.file("bus.log"), errors: folder.file("bus.errors")
    ) {
      // It prints its address when it listens there.
      $0.text.contains("unix:")
    }
    self.folder = folder
  }

  package var address: String { "unix:path=" + folder.file("bus") }

  /// For the processes that take it for the machine's.
  package var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

  /// Starts it again at the same address; it has forgotten everybody.
  package func start() throws {
    try FileManager.default.removeItem(atPath: process.output)
    try process.start()
  }
}
