import Glibc
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// A camera's identity and modes, for listings.
package struct CameraDescription: Hashable, Sendable {
  package let path: String
  package let name: String
  package let formats: [CameraFormat]

  /// Queries a device, even while in use. In a range of sizes, the rates are those of 1280x720.
  init(path: String) throws(CaptureError) {
    let device = try V4L2Device.open(camera: path)
    do {
      self.path = path
      name = try device.identity().name
      formats = try device.formats(for: PictureSize(width: 1280, height: 720))
    } catch {
      throw CameraFailure.opening(path, error)
    }
  }

  /// The cameras at /dev/video*, by number, without devices that fail to open or capture no pictures.
  package static func all() -> [CameraDescription] { paths().compactMap { try? CameraDescription(path: $0) } }

  /// The present cameras, without their modes.
  package static func names() -> [(path: String, name: String)] {
    paths().compactMap { path in
      guard let identity = try? V4L2Device(path: path).identity(), identity.isCamera else { return nil }
      return (path, identity.name)
    }
  }

  private static func paths() -> [String] {
    let numbers = fileNames(in: "/dev").compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
    }
    return numbers.sorted().map { "/dev/video\($0)" }
  }
}

extension V4L2Device {
  static func open(camera path: String) throws(CaptureError) -> V4L2Device {
    do {
      let device = try V4L2Device(path: path)
      if try device.identity().isCamera { return device }
    } catch {
      throw CameraFailure.opening(path, error)
    }
    throw CameraFailure.unsuitable(
      path, "it delivers no pictures",
      hint: CameraFailure.whatThereIs(CameraDescription.names()))
  }
}
