import Foundation
import HoldfastMediaModel
import TestSupport

/// A listener that notes the requested stream IDs, and refuses them with a given code.
final class SRTRefuser {
  let port: UInt16
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  /// `code` is one of libsrt's reasons to refuse a connection; with 0 it refuses nobody.
  convenience init(_ code: Int32) throws { try self.init(["\(code)"]) }

  /// Accepts every connection, and ends it after `time`.
  convenience init(hangingUpAfter time: MediaTime) throws {
    try self.init(["0", "\(Int(time.milliseconds))"])
  }

  private init(_ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: peerProgram("srt-refuser"))
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    port = UInt16(String(Self.line(from: output.fileHandleForReading).dropFirst("port ".count))) ?? 0
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The name of the next stream that somebody asks for.
  func nextStreamID() -> String {
    String(Self.line(from: output.fileHandleForReading).dropFirst("asked for ".count))
  }

  private static func line(from handle: FileHandle) -> String {
    var bytes: [UInt8] = []
    while let byte = try? handle.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
