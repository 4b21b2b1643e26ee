import TestStores
import Testing

@Suite struct ConformanceTests {
  @Test(arguments: StoreConformance.allCases)
  func `the store in a file does what every store has to`(conformance: StoreConformance) throws {
    #expect(try conformance.check(TestStore()) == [])
  }

  @Test(arguments: StoreConformance.allCases)
  func `it does the same when its file is opened again before each verb`(
    conformance: StoreConformance
  ) throws {
    #expect(try conformance.check(TestStore(reopenings: 60)) == [])
  }
}
