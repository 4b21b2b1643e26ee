import HoldfastPlatform
import Testing

@Suite struct DigestsTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: [("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72")])
  func `md5 matches the examples of RFC 1321`(message: String, digest: String) {
    #expect(hexadecimal(md5(bytes(message))) == digest)
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `sha256 matches the examples of FIPS 180`(message: String, digest: String) {
    #expect(hexadecimal(sha256(bytes(message))) == digest)
  }

  @Test(arguments: [
    (
      "Jefe", "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    ("", "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ])
  func `hmac matches RFC 4231`(key: String, message: String, digest: String) {
    #expect(hexadecimal(hmacSHA256(key: bytes(key), message: bytes(message))) == digest)
  }

  @Test(arguments: [0, 1, 1528, 1000])
  func `random bytes have the requested count, and never repeat`(count: Int) {
    let (first, second) = (randomBytes(count), randomBytes(count))
    #expect(first.count == count)
    #expect(count < 16 || first != second)
  }
}
