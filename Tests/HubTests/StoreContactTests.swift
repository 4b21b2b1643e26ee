import HoldfastMediaModel
import Testing

@testable import HoldfastHub

@Suite struct StoreContactTests {
  private let store = WallTime(nanoseconds: 1_795_000_000_000_000_000)
  private let own = MonotonicTime(nanoseconds: 5_000_000_000)

  private func contact(_ answers: [(store: Int64, own: Int64)]) -> StoreContact {
    var contact = StoreContact()
    for answer in answers {
      contact.heard(store + .milliseconds(answer.store), at: own + .milliseconds(answer.own))
    }
    return contact
  }

  @Test func `contact counts from the first answer`() {
    #expect(StoreContact().since == nil)
    #expect(contact([(0, 0), (2000, 2000), (3500, 3500)]).since == store)
  }

  @Test func `an answer that fails ends it`() {
    var contact = contact([(0, 0)])
    contact.lost()
    #expect(contact.since == nil)
    contact.heard(store + .seconds(3), at: own + .seconds(3))
    #expect(contact.since == store + .seconds(3))
  }

  @Test(arguments: [
    (2001, 1000), (-1, 1000), (100_000, 1000), (1000, 2001),
    // A hub that was frozen, and a store that was.
    (2001, 2001), (0, 1500),
  ])
  func `a jump of either clock, or a long silence, begins it anew`(store: Int64, own: Int64) {
    #expect(contact([(0, 0), (store, own)]).since == self.store + .milliseconds(store))
  }

  @Test(arguments: [(1999, 1000), (1000, 1999), (2000, 2000)])
  func `small differences don't`(store: Int64, own: Int64) {
    #expect(contact([(0, 0), (store, own)]).since == self.store)
  }
}
