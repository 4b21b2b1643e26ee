package import HoldfastHTTP
package import HoldfastMediaModel
import HoldfastPlatform

/// Identifies the callers of requests. The unix socket is the user's own. Over TCP a token identifies the
/// caller; without a token secret only the same user of this machine, as reported by the kernel, is admitted.
package final class Authenticator: Sendable {
  private let verifier: TokenVerifier?
  private let failures = Locked(FailedAttempts())

  /// `verifier` is nil without a token secret.
  package init(_ verifier: TokenVerifier? = nil) { self.verifier = verifier }

  package var failedAttempts: Int { failures.withLock { $0.count } }

  package func caller(
    of request: HTTPRequest, at now: MonotonicTime, wall: WallTime
  ) throws(APIError) -> Caller {
    if let text = request.bearer { return try caller(with: text, from: request.peer, at: now, wall: wall) }
    switch request.peer {
    case .local: return .local
    case .remote(_, let isSameUser):
      guard verifier == nil else { throw APIError(.missing) }
      guard isSameUser else {
        throw APIError(
          401, "tokenMissing", "you are not the user who runs this broadcast",
          hint: "send the request as that user, or start with --token-secret to allow tokens")
      }
      return .local
    }
  }

  /// Why the token of an admitted caller is not valid any more; nil if it is, or if there is none.
  package func refusal(of caller: Caller, wall: WallTime) -> APIError? {
    guard caller.tokenID != nil, let verifier else { return nil }
    return verifier.refusal(of: caller, at: wall).map(APIError.init)
  }

  /// A stream that ends when its caller's token does; any other response as it is.
  package func guarded(_ response: HTTPResponse, for caller: Caller) -> HTTPResponse {
    guard case .stream(let stream) = response.body, caller.tokenID != nil else { return response }
    return HTTPResponse(
      contentType: response.contentType,
      stream: GuardedStream(stream, at: .now) { [self] in refusal(of: caller, wall: WallTime.now) })
  }

  /// A valid token is always accepted, however many invalid ones the same address has sent.
  private func caller(
    with text: String, from peer: HTTPRequest.Peer, at now: MonotonicTime, wall: WallTime
  ) throws(APIError) -> Caller {
    let refusal: APIError
    if let verifier {
      do { return try verifier.verify(text, at: wall) } catch { refusal = APIError(error) }
    } else {
      refusal = APIError(
        401, "tokenForged", "this broadcast has no secret, so it accepts no tokens",
        hint: "leave the token out, or start with --token-secret")
    }
    let origin = AttemptOrigin(peer)
    let wait = failures.withLock { failures in
      defer { failures.record(origin, at: now) }
      return failures.retryAfter(origin, at: now)
    }
    guard let wait else { throw refusal }
    throw APIError(
      429, "tooManyFailures", "too many invalid tokens came from this address", hint: "wait for \(wait)",
      retryAfter: wait)
  }
}

extension AttemptOrigin {
  package init(_ peer: HTTPRequest.Peer) {
    self =
      switch peer {
      case .local: .local
      case .remote(let address, _): .init(address: addressBytes(address)) ?? .local
      }
  }
}

extension APIError {
  package init(_ error: TokenError) { self.init(401, error.kind.rawValue, error.what, hint: error.hint) }
}
