internal import Foundation

/// A server's certificate for `localhost` and 127.0.0.1, and the authority that signed it.
package struct TestCertificate: Sendable {
  /// What is wrong with it, where something is.
  package enum Flaw: String, Sendable, CaseIterable {
    case none
    case expired
    /// It is another host's.
    case otherName
  }

  package let authority: String
  package let certificate: String
  package let key: String

  package init(in folder: ScratchFolder, flaw: Flaw = .none) throws {
    let directory = folder.file("certificate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    authority = directory + "/authority.pem"
    certificate = directory + "/certificate.pem"
    key = directory + "/key.pem"
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
