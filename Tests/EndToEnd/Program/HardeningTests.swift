import Foundation
import TestSupport
import Testing

/// What makes a fault in the program harder to exploit.
@Suite struct HardeningTests {
  private static let program = Repository.path(".build/release/holdfast")

  private static func exists(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

  @Test(.enabled(if: exists("/usr/bin/systemd-analyze"), "there is no systemd-analyze"))
  func `the sample unit is at most 1-5 exposed, as systemd rates it`() throws {
    let report = try Tool.run([
      "systemd-analyze", "security", "--no-pager", "--offline=yes",
      Repository.path("samples/holdfast.service"),
    ])
    let rating = try #require(report.firstMatch(of: /Overall exposure level for [^:]*: ([0-9.]+)/))
    #expect(try #require(Double(rating.output.1)) <= 1.5)
  }

  @Test(.enabled(if: exists(program), "make build has not been run"))
  func `the program as make builds it resolves its libraries early, and never beside itself`() throws {
    let header = try Tool.run(["readelf", "-hlW", Self.program])
    #expect(header.contains("DYN (Position-Independent Executable file)"))
    #expect(header.contains("GNU_RELRO"))
    #expect(try #require(header.firstMatch(of: /GNU_STACK.*/)).output.contains("RW "))
    let libraries = try Tool.run(["readelf", "-dW", Self.program])
    #expect(libraries.contains("BIND_NOW") && libraries.contains("NOW PIE"), "built without make build")
    #expect(!libraries.contains("RUNPATH") && !libraries.contains("RPATH"), "built without make build")
  }

  /// No symbol tells of it: the compiler proves all of today's calls to be within their bounds.
  @Test func `make build has the C library's calls in our headers checked`() throws {
    let commands = try Tool.run(["make", "-n", "-C", Repository.path("."), "build"])
    #expect(commands.contains("-Xcc -D_FORTIFY_SOURCE=2"))
  }
}
