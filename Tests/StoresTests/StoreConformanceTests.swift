import HoldfastStores
import TestStores
import Testing

@Suite struct StoreConformanceTests {
  @Test(arguments: StoreConformance.allCases)
  func `the store in memory does what every store has to`(conformance: StoreConformance) throws {
    #expect(try conformance.check(MemoryStore()) == [])
  }

  @Test(arguments: StoreConformance.allCases)
  func `the store with faults does the same while it has none`(conformance: StoreConformance) throws {
    #expect(try conformance.check(FaultyStore()) == [])
  }
}
