import Testing

@testable import HoldfastPlatform

@Suite struct FreeSpaceTests {
  @Test func `a disk has no more room than it is large`() throws {
    let space = try FreeSpace(at: "/")
    #expect(space.total > 0)
    #expect((0...space.total).contains(space.available))
  }

  @Test func `what isn't there is no disk`() {
    #expect(throws: SystemError.self) { try FreeSpace(at: "/nowhere/at/all") }
  }

  @Test(arguments: [(28, true), (122, true), (27, true), (5, false), (30, false), (2, false)])
  func `what wants room is told from what fails`(code: Int32, isOutOfSpace: Bool) {
    #expect(SystemError(operation: "write", code: code).isOutOfSpace == isOutOfSpace)
  }
}
