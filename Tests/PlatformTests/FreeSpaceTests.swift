import Testing

@testable import HoldfastPlatform

@Suite struct FreeSpaceTests {
  @Test func `the free space is at most the size of the disk`() throws {
    let space = try FreeSpace(at: "/")
    #expect(space.total > 0 && (0...space.total).contains(space.available), "\(space)")
  }

  @Test func `a missing path has no free space`() {
    #expect(throws: SystemError.self) { try FreeSpace(at: "/nowhere/at/all") }
  }

  @Test(arguments: [(28, true), (122, true), (27, true), (5, false), (30, false), (2, false)])
  func `a lack of space is distinguished from other failures`(code: Int32, isOutOfSpace: Bool) {
    #expect(SystemError(operation: "write", code: code).isOutOfSpace == isOutOfSpace)
  }
}
