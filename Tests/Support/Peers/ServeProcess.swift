import Foundation
package import Glibc

/// `holdfast serve` in a process of its own, with recording.
package final class ServeProcess {
  private let port: LoopbackPort
  private let directory: String
  private let process: HoldfastProcess

  package init(in folder: ScratchFolder, options: [String] = []) throws {
    port = try LoopbackPort()
    directory = folder.file("served")
    process = try HoldfastProcess(["serve", "--port", "\(port.number)", "--dir", directory] + options)
    guard process.waitForOutput("serving at") else { throw TestFailure(process.result().errors) }
  }

  /// A test that fails midway leaves no process behind.
  deinit {
    if !process.hasEnded { process.signal(SIGKILL) }
  }

  package var address: String { address(of: "stage") }
  package var identifier: pid_t { process.identifier }

  package func address(of stream: String) -> String { "rtmp://127.0.0.1:\(port.number)/live/\(stream)" }

  package var recording: String? { recording(of: "stage") }

  package func recording(of stream: String) -> String? {
    let path = directory + "/\(stream).flv"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  package func finish() { process.end() }
}
