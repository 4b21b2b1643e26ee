import Foundation

/// Virtual cameras and microphones, made by the scripts in Tests/Devices.
package enum TestDevice {
  package static func script(_ name: String) -> String { Repository.path("Tests/Devices/" + name) }

  package final class Camera: Sendable {
    package let path: String
    package let environment: [String: String]

    /// The variable for a file that is made when the camera gives its first picture.
    package static let firstPictureFile = "VCAM_FIRST"

    /// `mjpeg` is a file of pictures to deliver at 30 a second; raw pictures then come at 10 only.
    package init(in folder: ScratchFolder, mjpeg: String? = nil) throws {
      path = folder.file("video0")
      let exports = try Tool.run([TestDevice.script("virtual-camera"), "env", path])
      environment = TestDevice.exported(exports).merging(
        mjpeg.map { ["VCAM_MJPEG": $0, "VCAM_YUYV_RATE": "10"] } ?? [:]
      ) { $1 }
    }

    package func perform(_ command: String) throws {
      try Tool.run([TestDevice.script("virtual-camera"), command, path])
    }
  }

  /// A virtual microphone with a 440 Hz tone, removed on release.
  package final class Microphone: Sendable {
    private let directory: String
    package let environment: [String: String]

    package init(in folder: ScratchFolder) throws {
      directory = folder.file("microphone")
      environment = TestDevice.exported(try Tool.run([TestDevice.script("virtual-mic"), "start", directory]))
    }

    deinit { _ = try? Tool.run([TestDevice.script("virtual-mic"), "stop", directory]) }

    package func perform(_ command: String) throws {
      try Tool.run([TestDevice.script("virtual-mic"), command, directory])
    }
  }

  /// Parses `export A=b C=d`.
  private static func exported(_ text: String) -> [String: String] {
    Tool.pairs(text.split(whereSeparator: \.isWhitespace))
  }
}
