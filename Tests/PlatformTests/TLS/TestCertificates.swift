import HoldfastPlatform
import TestSupport

/// Certificates made by the openssl command.
final class TestCertificates: Sendable {
  /// A certificate in PEM, and its key.
  struct Pair: Sendable {
    let certificate: String
    let key: String
  }

  private struct Kept {
    weak var certificates: TestCertificates?
  }

  private static let kept = Locked(Kept())

  /// Shared by the tests that run at a time, as creating them takes a while.
  static func shared() throws -> TestCertificates {
    try kept.withLock { kept in
      if let certificates = kept.certificates { return certificates }
      let certificates = try TestCertificates()
      kept.certificates = certificates
      return certificates
    }
  }

  enum Name: String, CaseIterable {
    case authority
    /// For localhost and 127.0.0.1, signed by the authority.
    case good
    case expired
    /// For another host than this one.
    case elsewhere
    /// For localhost and 127.0.0.1, signed by nobody else.
    case selfSigned
  }

  private let folder = ScratchFolder()

  private let here = "subjectAltName=DNS:localhost,IP:127.0.0.1"

  init() throws {
    try request(.authority, to: self[.authority].certificate, ["-x509", "-days", "2"])
    try request(.selfSigned, to: self[.selfSigned].certificate, ["-x509", "-days", "2", "-addext", here])
    try sign(.good, for: here, days: 2)
    try sign(.expired, for: here, days: -1)
    try sign(.elsewhere, for: "subjectAltName=DNS:elsewhere.example", days: 2)
  }

  subscript(_ name: Name) -> Pair {
    let path = folder.file(name.rawValue)
    return Pair(certificate: path + ".pem", key: path + ".key")
  }

  private func request(_ name: Name, to output: String, _ arguments: [String]) throws {
    try openssl(
      ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        + ["-subj", "/CN=test", "-keyout", self[name].key, "-out", output] + arguments)
  }

  private func sign(_ name: Name, for names: String, days: Int) throws {
    let request = self[name].certificate + ".request"
    try self.request(name, to: request, ["-addext", names])
    try openssl(
      ["x509", "-req", "-in", request, "-CA", self[.authority].certificate, "-CAkey", self[.authority].key]
        + ["-days", "\(days)", "-copy_extensions", "copy", "-out", self[name].certificate])
  }

  private func openssl(_ arguments: [String]) throws {
    try Tool.run(["sh", "-c", #"exec openssl "$@" 2>&1"#, "sh"] + arguments)
  }
}
