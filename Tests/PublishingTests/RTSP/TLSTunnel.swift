import Foundation
import Glibc
import TestSupport

/// nginx in front of a server that knows no TLS itself.
final class TLSTunnel: @unchecked Sendable {  // the process is started and ended by its owner
  private let reserved: LoopbackPort
  private let process = Process()

  struct NotReady: Error {}

  init(to target: UInt16, _ certificate: TestCertificate, in folder: ScratchFolder) throws {
    reserved = try LoopbackPort()
    let configuration = try folder.write(
      """
      load_module /usr/lib/nginx/modules/ngx_stream_module.so;
      daemon off;
      master_process off;
      pid \(folder.file("tunnel.pid"));
      events {}
      stream {
        server {
          listen 127.0.0.1:\(reserved.number) ssl;
          ssl_certificate \(certificate.certificate);
          ssl_certificate_key \(certificate.key);
          proxy_pass 127.0.0.1:\(target);
        }
      }
      """, to: "tunnel.conf")
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    process.arguments = ["-c", configuration, "-e", folder.file("tunnel.log")]
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
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  var port: UInt16 { reserved.number }
}
