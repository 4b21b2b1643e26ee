import HoldfastPlatform
import HoldfastRTMP

extension MessageDigests {
  static let real = MessageDigests(
    md5: { HoldfastPlatform.md5($0) }, hmacSHA256: { HoldfastPlatform.hmacSHA256(key: $0, message: $1) })
}
