import Foundation
import TestSupport
import Testing

extension ProgramTests {
  /// The program's calls go through the library that a test can trouble its disk with.
  @Suite struct TroubledDisks {
    private let scratch: ScratchFolder
    private let folder: ScratchFolder
    private let disk: TroubledDisk

    init() throws {
      scratch = try ScratchFolder()
      folder = try ScratchFolder()
      disk = try TroubledDisk(folder: folder.path, in: scratch)
    }

    private func subject() throws -> HoldfastSubject {
      try HoldfastSubject(
        to: [], environment: disk.environment(), options: ["--record", folder.path], in: scratch)
    }

    @Test func `all that is written to a recording is seen`() throws {
      let subject = try subject()
      #expect(disk.wait { $0.bytesWritten > 100_000 })
      subject.finish()
      let path = try #require(folder.recordings.first)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      #expect(disk.status.bytesWritten >= (try #require(size)) - 300 << 10)
      #expect(disk.status.synced > 0)
      #expect(disk.status.programs == 1)
    }

    @Test func `a write can be held, and goes on`() throws {
      let subject = try subject()
      #expect(disk.wait { $0.bytesWritten > 0 })
      disk.stall()
      #expect(disk.wait { $0.held > 0 })
      let before = disk.status.bytesWritten
      disk.heal()
      #expect(disk.wait { $0.bytesWritten > before })
      subject.finish()
      #expect(subject.status == 0)
    }

    @Test func `a write can fail`() throws {
      let subject = try subject()
      #expect(disk.wait { $0.bytesWritten > 0 })
      disk.fill()
      #expect(disk.wait { $0.failed > 0 })
      subject.finish()
    }
  }
}
