import Platform
import RTMP

extension MessageDigests {
  static let real = MessageDigests(
    md5: { Platform.md5($0) }, hmacSHA256: { Platform.hmacSHA256(key: $0, message: $1) })
}
