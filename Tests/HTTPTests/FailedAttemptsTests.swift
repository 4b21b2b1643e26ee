import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastHTTP

@Suite struct FailedAttemptsTests {
  private let start = MonotonicTime(nanoseconds: 5_000_000_000)
  private let here = AttemptOrigin.ipv4(0x7F00_0001)

  private func second(_ count: Int64) -> MonotonicTime { start + .seconds(count) }

  private func failed(_ count: Int, at now: MonotonicTime) -> FailedAttempts {
    var attempts = FailedAttempts()
    for _ in 0..<count { attempts.record(here, at: now) }
    return attempts
  }

  @Test(arguments: [(0, nil), (9, nil), (10, 6), (11, 6), (1000, 6)] as [(Int, Int64?)])
  func `an address has to wait after ten failed attempts`(count: Int, seconds: Int64?) {
    #expect(failed(count, at: start).retryAfter(here, at: start) == seconds.map { .seconds($0) })
  }

  @Test(arguments: [(0, 6), (1, 5), (5, 1), (6, nil), (600, nil)] as [(Int64, Int64?)])
  func `an address's remaining wait shrinks as time passes`(later: Int64, seconds: Int64?) {
    #expect(failed(10, at: start).retryAfter(here, at: second(later)) == seconds.map { .seconds($0) })
  }

  @Test func `a waiting address regains one attempt every six seconds`() {
    var attempts = failed(10, at: start)
    attempts.record(here, at: second(6))
    #expect([6, 12].map { attempts.retryAfter(here, at: second($0)) } == [.seconds(6), nil])
  }

  @Test func `an address regains at most ten attempts, however long it is quiet`() {
    var attempts = failed(10, at: start)
    for _ in 0..<9 { attempts.record(here, at: second(3600)) }
    #expect(attempts.retryAfter(here, at: second(3600)) == nil)
    attempts.record(here, at: second(3600))
    #expect(attempts.retryAfter(here, at: second(3600)) == .seconds(6))
  }

  @Test func `failed attempts of one address do not affect another`() {
    #expect(failed(20, at: start).retryAfter(.ipv4(1), at: start) == nil)
    #expect(failed(20, at: start).retryAfter(.local, at: start) == nil)
  }

  @Test func `failed attempts of all addresses are counted`() {
    var attempts = failed(20, at: start)
    attempts.record(.local, at: start)
    #expect(attempts.count == 21)
  }

  @Test func `all IPv6 addresses of a 64-bit network count as one`() {
    let network: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 1, 0, 2]
    let first = AttemptOrigin(address: network + [0, 0, 0, 0, 0, 0, 0, 1])
    #expect(first == AttemptOrigin(address: network + [9, 8, 7, 6, 5, 4, 3, 2]))
    #expect(first == .ipv6(network: 0x2001_0DB8_0001_0002))
    #expect(first != AttemptOrigin(address: network.dropLast() + [3, 0, 0, 0, 0, 0, 0, 0, 1]))
  }

  @Test func `an IPv4 address mapped to IPv6 counts as the same`() {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1]
    let found = [mapped, [127, 0, 0, 1], [1, 2, 3]].map { AttemptOrigin(address: $0) }
    #expect(found == [here, here, nil])
  }
}
