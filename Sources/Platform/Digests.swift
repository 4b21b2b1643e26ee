import Glibc
import HoldfastCOpenSSL
import HoldfastCPlatform

package func md5(_ message: [UInt8]) -> [UInt8] { digest(message, EVP_md5()) }

package func sha256(_ message: [UInt8]) -> [UInt8] { digest(message, EVP_sha256()) }

package func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
  var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
  var length: UInt32 = 0
  let isMade =
    HMAC(EVP_sha256(), key, Int32(clamping: key.count), message, message.count, &result, &length) != nil
  return isMade ? Array(result.prefix(Int(length))) : []
}

/// Empty if the system forbids the digest, as some do with MD5; the server then rejects the answer.
private func digest(_ message: [UInt8], _ kind: OpaquePointer?) -> [UInt8] {
  var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
  var length: UInt32 = 0
  let isMade = EVP_Digest(message, message.count, &result, &length, kind, nil) == 1
  if !isMade { ERR_clear_error() }
  return isMade ? Array(result.prefix(Int(length))) : []
}

package func hexadecimal(_ bytes: [UInt8]) -> String {
  func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
  return String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
    for (index, byte) in bytes.enumerated() {
      buffer[2 * index] = digit(byte >> 4)
      buffer[2 * index + 1] = digit(byte & 15)
    }
    return 2 * bytes.count
  }
}

package func randomBytes(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  var filled = 0
  while filled < count {
    // Fails only on old kernels, for which the standard library's generator has a fallback.
    let got = bytes.withUnsafeMutableBytes {
      getrandom($0.baseAddress.map { $0 + filled }, count - filled, 0)
    }
    if got < 0, cp_errno() != EINTR { return bytes.map { _ in .random(in: .min ... .max) } }
    filled += max(0, got)
  }
  return bytes
}
