import Foundation
import TestSupport

/// Our own server in a separate process, with recording.
struct LocalServer {
  private let port: LoopbackPort
  private let directory: String
  private let process: HoldfastProcess

  init(in folder: ScratchFolder) throws {
    port = try LoopbackPort()
    directory = folder.file("served")
    process = try HoldfastProcess(["serve", "--port", "\(port.number)", "--dir", directory])
    guard process.waitForOutput("serving at") else {
      throw TestFailure(process.result().errors)
    }
  }

  var address: String { "rtmp://127.0.0.1:\(port.number)/live/stage" }

  var recording: String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasSuffix(".flv") }.sorted().first.map { directory + "/" + $0 }
  }

  func finish() {
    process.signal(SIGINT)
    _ = process.result()
  }
}
