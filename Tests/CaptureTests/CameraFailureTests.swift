import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastCapture

@Suite struct CameraFailureTests {
  @Test(arguments: [
    (ENOENT, CaptureError.Kind.notFound), (ENXIO, .notFound), (ENOTDIR, .notFound), (EBUSY, .busy),
    (ENOSPC, .busy), (EACCES, .notPermitted), (EPERM, .notPermitted), (EINVAL, .unsuitable),
    (ENOTTY, .unsuitable),
    (EISDIR, .unsuitable), (ENODEV, .lost), (EIO, .lost), (EPIPE, .lost), (ENOMEM, .lost),
  ])
  func `what the system says has one meaning`(code: Int32, kind: CaptureError.Kind) {
    let error = CameraFailure.opening("/dev/video0", SystemError(operation: "open", code: code)) { [] }
    #expect(error.kind == kind)
    #expect(error.track == .video)
    #expect(error.device == "/dev/video0")
  }

  @Test(arguments: [EINVAL, ENOTTY])
  func `a camera that refuses to start is still called a camera`(code: Int32) {
    let error = CameraFailure.starting("/dev/video0", SystemError(operation: "VIDIOC_STREAMON", code: code)) {
      [("/dev/video0", "A")]
    }
    #expect(error.kind == .unsuitable)
    #expect(error.what.contains("does not start"))
    #expect(!error.hint.contains("/dev/video0"))
  }

  @Test(arguments: [ENOENT, EBUSY, ENOSPC, EACCES, EIO, ENODEV])
  func `any other failure means the same while opening and while starting`(code: Int32) {
    let error = SystemError(operation: "VIDIOC_STREAMON", code: code)
    #expect(
      CameraFailure.starting("/dev/video0", error) { [] }
        == CameraFailure.opening("/dev/video0", error) { [] })
  }

  @Test(
    arguments: [
      ([], "there is no camera at all; --video test gives a test picture"),
      ([("/dev/video0", "Virtual camera")], "there is /dev/video0 (Virtual camera)"),
      ([("/dev/video0", "A"), ("/dev/video2", "B")], "there are /dev/video0 (A) and /dev/video2 (B)"),
      (
        [("/dev/video0", "A"), ("/dev/video2", "B"), ("/dev/video10", "C")],
        "there are /dev/video0 (A), /dev/video2 (B) and /dev/video10 (C)"
      ),
    ] as [([(path: String, name: String)], String)])
  func `a camera that is not there is answered with those that are`(
    cameras: [(path: String, name: String)], hint: String
  ) {
    let missing = SystemError(operation: "open", code: ENOENT)
    #expect(CameraFailure.opening("/dev/video9", missing) { cameras }.hint == hint)
  }

  @Test func `without the right to open it, the group is named`() {
    let error = CameraFailure.opening("/dev/video0", SystemError(operation: "open", code: EACCES)) { [] }
    #expect(error.hint.contains("group video"))
  }

  @Test func `opening a path where nothing is says that nothing is there`() {
    #expect { try CameraDescription.read(path: "/nonexistent/video0") } throws: {
      ($0 as? CaptureError)?.kind == .notFound
    }
  }

  @Test func `a device that is no camera is unsuitable`() {
    #expect { try CameraDescription.read(path: "/dev/null") } throws: {
      ($0 as? CaptureError)?.kind == .unsuitable
    }
  }
}
