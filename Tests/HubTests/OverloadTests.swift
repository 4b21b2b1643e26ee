import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastHub

@Suite struct OverloadTests {
  private let now = MonotonicTime(nanoseconds: 5_000_000_000)

  @Test func `each refusal is counted, and said once a minute`() {
    let refusals = OverloadRefusals()
    let notes = (0..<180).compactMap { refusals.add(at: now + .seconds($0)) }
    #expect(refusals.count == 180)
    #expect(
      notes == ["1 request", "60 requests", "60 requests"].map { "the hub is too busy: it refused \($0)" })
  }

  @Test(
    arguments: [
      ("POST", "/v1/sessions/Hall/beat", "lease", true), ("POST", "/v1/sessions/Hall/levels", "lease", true),
      ("POST", "/v1/sessions/Hall/beat", nil, false), ("POST", "/v1/sessions/Hall/commands", "lease", false),
      ("POST", "/v1/sessions/Hall/join", nil, false), ("GET", "/v1/sessions/beat", "lease", false),
    ] as [(String, String, String?, Bool)])
  func `only what may be a beat says that somebody was not heard`(
    method: String, path: String, lease: String?, mayBe: Bool
  ) {
    var request = HTTPRequest(method, path)
    request.lease = lease
    #expect(request.mayRenewLease == mayBe)
  }
}
