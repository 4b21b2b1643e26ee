import Foundation

/// A private message bus without access restrictions.
package final class PrivateBus: Peer {
  private let folder = ScratchFolder()
  package let process: PeerProcess

  package init() throws {
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
    ) { $0.text.contains("unix:") }
  }

  package var address: String { "unix:path=" + folder.file("bus") }

  /// Makes this bus the system bus of a process.
  package var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

  /// Restarts the bus at the same address, without its previous clients.
  package func start() throws {
    try FileManager.default.removeItem(atPath: process.output)
    try process.start()
  }
}
