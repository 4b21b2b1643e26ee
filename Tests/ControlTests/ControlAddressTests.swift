import HoldfastMediaModel
import Testing

@testable import HoldfastControl

@Suite struct ControlAddressTests {
  @Test(arguments: [
    ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0),
    ("studio.local:65535", "studio.local", 65535),
    ("0.0.0.0:80", "0.0.0.0", 80),
  ])
  func `a host and a port are read`(text: String, host: String, port: UInt16) throws {
    let address = try ControlAddress(text)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.description == text)
  }

  @Test(arguments: [
    "", "8080", "localhost", "localhost:", ":8080", "::1:8080", "localhost:65536", "localhost:-1",
    "localhost:80x", "[]:80", "a b:80", "http://localhost:80", "localhost:+80",
  ])
  func `anything else is refused, with what to do`(text: String) {
    #expect(throws: InvalidValue.self) { try ControlAddress(text) }
  }
}
