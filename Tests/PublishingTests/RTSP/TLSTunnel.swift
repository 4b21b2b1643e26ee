import Foundation
import Glibc
import TestSupport

/// stunnel in front of a server that knows no TLS itself.
final class TLSTunnel: @unchecked Sendable {  // the process is started and ended by its owner
  private let reserved: LoopbackPort
  private let process = Process()

  struct NotReady: Error {}

  init(to target: UInt16, _ certificate: TestCertificate, in folder: ScratchFolder) throws {
    reserved = try LoopbackPort()
    let configuration = try folder.write(
      """
      foreground = yes
      debug = err
      pid =
      [rtsps]
      accept = 127.0.0.1:\(reserved.number)
      connect = 127.0.0.1:\(target)
      cert = \(certificate.certificate)
      key = \(certificate.key)
      """, to: "stunnel.conf")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/stunnel4")
    process.arguments = [configuration]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let limit = Date(timeIntervalSinceNow: HoldfastProcess.patience)
    while !LoopbackPort.answers(reserved.number) {
      guard process.isRunning, Date() < limit else { throw NotReady() }
      usleep(5000)
    }
  }

  deinit {
    // A process that could not be started has the number of our own group.
    guard process.isRunning else { return }
    // It may take its time over a milder signal.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  var port: UInt16 { reserved.number }
}
