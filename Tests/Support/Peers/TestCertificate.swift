import Foundation

/// A server certificate in PEM, and its key.
package struct TestCertificate: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case authority
    /// For localhost, hub.test, `*.test` and 127.0.0.1, signed by the authority.
    case valid
    case expired
    /// For another host.
    case otherName
    /// As `valid`, but not signed by the authority.
    case selfSigned
    /// For localhost by its subject's common name only, which counts no longer.
    case commonName
    /// As `valid`, but signed by an intermediate authority, whose certificate follows in the file.
    case chained
  }

  package let certificate: String
  package let key: String
  /// The file of the CA certificate.
  package let authority: String

  package init(in folder: ScratchFolder, _ kind: Kind = .valid) throws {
    let directory = folder.file("certificate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    func write(_ name: String) throws -> String {
      let path = directory + "/" + name
      try Self.files.get()[name]?.write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      return path
    }
    (certificate, key) = (try write(kind.rawValue + ".pem"), try write(kind.rawValue + ".key"))
    authority = try write("authority.pem")
  }

  /// The files of all kinds, created once.
  private static let files = Result {
    let folder = ScratchFolder()
    try Tool.run(["sh", "-c", script, folder.path])
    let names = Kind.allCases.flatMap { [$0.rawValue + ".pem", $0.rawValue + ".key"] }
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: folder.url.appendingPathComponent($0)))
      })
  }

  private static let script = """
    exec 2>&1
    set -ef
    cd "$0"
    request() {
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$2" -subj "/CN=$3" $4 $5
    }
    sign() {
      request "$1" request.pem server "-addext subjectAltName=$2"
      openssl x509 -req -in request.pem -CA authority.pem -CAkey authority.key -CAcreateserial -days "$3" \
        -copy_extensions copy -out "$1.pem"
    }
    here='DNS:localhost,DNS:*.test,DNS:hub.test,IP:127.0.0.1'
    request authority authority.pem authority "-x509 -days 30"
    request selfSigned selfSigned.pem server "-x509 -days 30" "-addext subjectAltName=$here"
    sign valid "$here" 30
    sign expired "$here" -1
    sign otherName DNS:elsewhere.test 30
    request commonName request.pem localhost
    openssl x509 -req -in request.pem -CA authority.pem -CAkey authority.key -CAcreateserial -days 30 \
      -out commonName.pem
    request between request.pem between '-addext basicConstraints=critical,CA:TRUE'
    openssl x509 -req -in request.pem -CA authority.pem -CAkey authority.key -CAcreateserial -days 30 \
      -copy_extensions copy -out between.pem
    request chained request.pem server "-addext subjectAltName=$here"
    openssl x509 -req -in request.pem -CA between.pem -CAkey between.key -CAcreateserial -days 30 \
      -copy_extensions copy -out chained.pem
    cat between.pem >> chained.pem
    """
}
