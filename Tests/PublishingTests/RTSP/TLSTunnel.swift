import TestSupport

/// nginx in front of a server that knows no TLS itself.
struct TLSTunnel {
  private let reserved: LoopbackPort
  private let process: PeerProcess

  init(to target: UInt16, _ certificate: TestCertificate, in folder: ScratchFolder) throws {
    let reserved = try LoopbackPort()
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
    process = try PeerProcess(
      ["/usr/sbin/nginx", "-c", configuration, "-e", folder.file("tunnel.log")], output: "/dev/null",
      errors: folder.file("tunnel.errors")
    ) { _ in LoopbackPort.answers(reserved.number) }
    self.reserved = reserved
  }

  var port: UInt16 { reserved.number }
}
