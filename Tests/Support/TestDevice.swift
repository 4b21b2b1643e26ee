internal import Foundation

/// A camera or a microphone that needs no hardware: the scripts in Tests/Devices.
package enum TestDevice {
  package static func script(_ name: String) -> String {
    Repository.path("Tests/Devices/" + name)
  }

  /// A camera at `path`; what a program needs to see it.
  package final class Camera: Sendable {
    package let path: String
    package let environment: [String: String]

    /// With `mjpeg`, a file of pictures, it gives them at 30 a second and raw ones at 10 only.
    package init(in folder: ScratchFolder, mjpeg: String? = nil) throws {
      path = folder.file("video0")
      let exports = try Tool.run([TestDevice.script("virtual-camera"), "env", path])
      environment = TestDevice.exported(exports).merging(
        mjpeg.map { ["VCAM_MJPEG": $0, "VCAM_YUYV_RATE": "10"] } ?? [:]
      ) { $1 }
    }

    /// `lose`, `stall` or `return`.
    package func make(_ command: String) throws {
      try Tool.run([TestDevice.script("virtual-camera"), command, path])
    }
  }

  /// A microphone that hears 440 Hz; gone when the owner is.
  package final class Microphone: Sendable {
    private let directory: String
    package let environment: [String: String]

    package init(in folder: ScratchFolder) throws {
      directory = folder.file("microphone")
      environment = TestDevice.exported(try Tool.run([TestDevice.script("virtual-mic"), "start", directory]))
    }

    deinit {
      _ = try? Tool.run([TestDevice.script("virtual-mic"), "stop", directory])
    }

    /// `lose`, `stall` or `return`.
    package func make(_ command: String) throws {
      try Tool.run([TestDevice.script("virtual-mic"), command, directory])
    }
  }

  /// Reads `export A=b C=d`.
  private static func exported(_ text: String) -> [String: String] {
    let pairs = text.split(whereSeparator: \.isWhitespace).dropFirst().compactMap {
      word -> (String, String)? in
      let parts = word.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(pairs) { $1 }
  }
}
