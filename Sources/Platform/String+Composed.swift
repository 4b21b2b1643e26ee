import Glibc
import HoldfastCUnistring

extension String {
  /// The text in NFC: where its bytes are compared, hashed or stored, canonically equivalent texts are one.
  ///
  /// Characters younger than libunistring's Unicode (14 in Debian 12) stay as they are; then texts that `==` finds equal
  /// may have different bytes.
  package var composed: String {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
    let bytes = Array(utf8)
    var count = 0
    guard let composed = cunistring_compose(bytes, bytes.count, &count) else { return self }
    defer { free(composed) }
    return String(decoding: UnsafeBufferPointer(start: composed, count: count), as: UTF8.self)
  }
}
