import Foundation

/// A server certificate for `localhost` and 127.0.0.1, and its CA.
package struct TestCertificate: Sendable {
  package enum Flaw: String, Sendable, CaseIterable {
    case none
    case expired
    case otherName
  }

  private static let names = ["authority.pem", "certificate.pem", "key.pem"]
  private let directory: String

  package var authority: String { directory + "/authority.pem" }
  package var certificate: String { directory + "/certificate.pem" }
  package var key: String { directory + "/key.pem" }

  package init(in folder: ScratchFolder, flaw: Flaw = .none) throws {
    directory = folder.file("certificate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    switch flaw {
    case .none:
      for (name, data) in zip(Self.names, try Self.flawless.get()) {
        let path = directory + "/" + name
        try data.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      }
    case .expired, .otherName:
      try Self.make(in: directory, flaw)
    }
  }

  /// The files of the valid certificate, created once.
  private static let flawless = Result {
    let folder = ScratchFolder()
    try make(in: folder.path, .none)
    return try names.map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0))) }
  }

  private static func make(in directory: String, _ flaw: Flaw) throws {
    let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    let names = flaw == .otherName ? "DNS:elsewhere.test" : "DNS:localhost,DNS:*.test,IP:127.0.0.1"
    let script = """
      exec 2>&1
      cd "$0"
      openssl req -x509 \(newKey) -days 30 -subj "/CN=Test authority" -keyout authority.key -out authority.pem &&
      openssl req \(newKey) -subj /CN=server -addext subjectAltName=\(names) -keyout key.pem -out request.pem &&
      openssl x509 -req -in request.pem -CA authority.pem -CAkey authority.key -CAcreateserial \
        -days \(flaw == .expired ? -1 : 30) -copy_extensions copy -out certificate.pem
      """
    try Tool.run(["sh", "-c", script, directory])
  }
}
