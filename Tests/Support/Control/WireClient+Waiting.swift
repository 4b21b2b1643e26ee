import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

extension WireClient {
  package func get(_ target: String, _ headers: String = "") {
    send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
  }

  /// Reads until `wanted` has been received so often.
  package func wait(for wanted: String, times: Int = 1) throws {
    let wanted = Array(wanted.utf8)
    var (found, searched) = (0, 0)
    while true {
      while let place = place(of: wanted, from: searched) {
        (found, searched) = (found + 1, place + wanted.count)
      }
      if found >= times { return }
      searched = max(searched, received.count - wanted.count + 1)
      guard receive(until: .now + .seconds(30)) else {
        throw TestFailure("no \(String(decoding: wanted, as: UTF8.self)) in \(text.suffix(1000))")
      }
    }
  }

  private func place(of wanted: [UInt8], from start: Int) -> Int? {
    received.withUnsafeBytes { bytes in
      var place = start
      while let base = bytes.baseAddress, place + wanted.count <= bytes.count,
        let found = memchr(base + place, Int32(wanted[0]), bytes.count - wanted.count - place + 1)
      {
        place = UnsafeRawPointer(found) - base
        if memcmp(found, wanted, wanted.count) == 0 { return place }
        place += 1
      }
      return nil
    }
  }

  /// Everything received until the end.
  package func rest() -> String {
    while receive(until: .now + .seconds(30)) {}
    return text
  }

  /// True if the other end hangs up in time, whatever it sends before.
  package func hangsUp(within limit: MediaTime = .seconds(30)) -> Bool {
    let deadline = MonotonicTime.now + limit
    while receive(until: deadline) {}
    return isOver
  }
}
