import HoldfastMediaModel
import HoldfastSession
import TestStores
import Testing

@testable import HoldfastSQLiteStore

/// Leases in memory while commits decide about them.
@Suite final class AttendanceTests {
  private let clock = SetClock()
  private let key: SessionKey
  private let member: Session.Member.ID
  private let lease = Session.Lease(epoch: 7, sequence: 1)
  private var attendance: Attendance

  init() throws {
    key = SessionKey(.hall)
    member = try #require(Session.Member.ID("aaaaaaaaaaaaaaaa"))
    attendance = Attendance(
      clock: StoreClock(after: clock.now.wall, at: clock.now), epoch: 7, at: clock.now)
    attendance.apply([.add(member, lease)], in: key, row: 1, count: 1, at: clock.now.wall)
  }

  private func renew() -> String {
    switch attendance.renew(lease, in: key, at: clock.now) {
    case .renewed: "renewed"
    case .noLease: "no lease"
    case .undecided: "undecided"
    case .closed: "closed"
    }
  }

  private func hold() -> Session.Lease? {
    attendance.hold([.expire(member, lease)], in: key, at: attendance.clock.advance(to: clock.now))
  }

  @Test func `a lease that a commit is about to expire is not renewed before it is over`() {
    clock.pass(.seconds(20))
    #expect(hold() == nil)
    #expect(renew() == "undecided")
    attendance.apply([.expire(member, lease)], in: key, row: 1, count: 2, at: clock.now.wall)
    attendance.release(key)
    #expect(renew() == "no lease")
  }

  @Test func `where that commit fails, the lease is renewed after all`() {
    clock.pass(.seconds(20))
    #expect(hold() == nil)
    attendance.release(key)
    #expect(renew() == "renewed")
  }

  @Test func `a lease that was renewed within its time is not expired, and goes on`() {
    clock.pass(.seconds(10))
    #expect(renew() == "renewed")
    clock.pass(.milliseconds(19_999))
    #expect(hold() == lease)
    #expect(renew() == "renewed")
  }

  @Test func `what could not be written is written with the next group, as it is then`() {
    clock.pass(.seconds(1))
    #expect(renew() == "renewed")
    let first = attendance.takeUnwritten()
    #expect(first.map(\.at) == [clock.now.wall])
    #expect(attendance.takeUnwritten() == [])
    attendance.putBack(first)
    clock.pass(.seconds(1))
    #expect(renew() == "renewed")
    #expect(attendance.takeUnwritten().map(\.at) == [clock.now.wall])
  }
}
