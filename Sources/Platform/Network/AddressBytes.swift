internal import Glibc

/// The 4 or 16 bytes of an address written in digits; none where it is no such address.
package func addressBytes(_ text: String) -> [UInt8] {
  let plain = text.prefix { $0 != "%" }
  var bytes = [UInt8](repeating: 0, count: 16)
  if inet_pton(AF_INET, String(plain), &bytes) == 1 { return Array(bytes[..<4]) }
  return inet_pton(AF_INET6, String(plain), &bytes) == 1 ? bytes : []
}
