internal import Glibc
internal import HoldfastCMicroHTTPD
internal import HoldfastPlatform

/// A certificate and its key, as libmicrohttpd wants them: where they are until the server has ended.
final class HTTPIdentity {
  let certificate: UnsafeMutablePointer<CChar>
  let key: UnsafeMutablePointer<CChar>

  init(_ identity: TLSIdentity) {
    certificate = strdup(identity.certificate)
    key = strdup(identity.key)
  }

  deinit {
    free(certificate)
    memset(key, 0, strlen(key))
    free(key)
  }
}
