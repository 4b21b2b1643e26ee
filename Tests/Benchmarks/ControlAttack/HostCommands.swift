import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Commands of a host, evenly spaced, each on a connection of its own from an address of its own.
struct HostCommands {
  static let count = 100
  private static let address = "127.0.7.1"

  let port: UInt16
  let token: String
  let certificate: String

  struct Report: CustomStringConvertible {
    let milliseconds: [Double]
    let served: Int

    var isServed: Bool { served * 100 >= 99 * milliseconds.count }
    var description: String {
      "\(served) of \(milliseconds.count) within \(AttackedRun.limit) s; \(Percentiles(milliseconds)) ms"
    }
  }

  func run(seconds: Int) -> Report {
    let start = MonotonicTime.now
    var milliseconds: [Double] = []
    var served = 0
    for number in 0..<Self.count {
      pause(until: start + .milliseconds(Int64(number * seconds * 1000 / Self.count)))
      let began = MonotonicTime.now
      let isAccepted = send(isMuted: number.isMultiple(of: 2))
      let taken = (MonotonicTime.now - began).seconds
      if isAccepted, taken <= AttackedRun.limit { served += 1 }
      milliseconds.append(taken * 1000)
    }
    return Report(milliseconds: milliseconds, served: served)
  }

  private func send(isMuted: Bool) -> Bool {
    let code = try? Tool.run([
      "curl", "-sS", "--max-time", "10", "--interface", Self.address, "--cacert", certificate, "-o",
      "/dev/null", "-w", "%{http_code}", "-X", "PATCH", "-H", "Authorization: Bearer \(token)", "-H",
      "Content-Type: application/json", "-d", "{\"muted\":\(isMuted)}",
      "https://127.0.0.1:\(port)/v1/tracks/audio",
    ])
    return code == "200"
  }
}
