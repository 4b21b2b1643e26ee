import Glibc
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import Testing

@testable import HoldfastCapture

@Suite struct CameraFailureTests {
  @Test(arguments: [
    (ENOENT, CaptureError.Kind.notFound), (ENXIO, .notFound), (ENOTDIR, .notFound), (EBUSY, .busy),
    (ENOSPC, .busy), (EACCES, .notPermitted), (EPERM, .notPermitted), (EINVAL, .unsuitable),
    (ENOTTY, .unsuitable), (EISDIR, .unsuitable), (ENODEV, .lost), (EIO, .lost), (EPIPE, .lost),
    (ENOMEM, .lost),
  ])
  func `each system error maps to one kind of capture error`(code: Int32, kind: CaptureError.Kind) {
    let error = CameraFailure.opening("/dev/video0", SystemError(operation: "open", code: code)) { [] }
    #expect((error.kind, error.track, error.device) == (kind, .video, "/dev/video0"))
    #expect(error.hint.contains("group video") == (kind == .notPermitted))
  }

  @Test(arguments: [EINVAL, ENOTTY])
  func `a camera that refuses to start is reported as not starting`(code: Int32) {
    let error = CameraFailure.starting("/dev/video0", SystemError(operation: "VIDIOC_STREAMON", code: code)) {
      [("/dev/video0", "A")]
    }
    #expect(error.kind == .unsuitable)
    #expect(error.what.contains("does not start"))
    #expect(!error.hint.contains("/dev/video0"))
  }

  @Test(arguments: [ENOENT, EBUSY, ENOSPC, EACCES, EIO, ENODEV])
  func `any other failure of a camera means the same while opening and while starting`(code: Int32) {
    let error = SystemError(operation: "VIDIOC_STREAMON", code: code)
    let opening = CameraFailure.opening("/dev/video0", error) { [] }
    #expect(CameraFailure.starting("/dev/video0", error) { [] } == opening)
  }

  @Test(
    arguments: [
      ([], "no camera found; plug one in, or choose the test picture"),
      ([("/dev/video0", "Virtual camera")], "available: /dev/video0 (Virtual camera)"),
      ([("/dev/video0", "A"), ("/dev/video2", "B")], "available: /dev/video0 (A), /dev/video2 (B)"),
      (
        [("/dev/video0", "A"), ("/dev/video2", "B"), ("/dev/video10", "C")],
        "available: /dev/video0 (A), /dev/video2 (B), /dev/video10 (C)"
      ),
    ] as [([(path: String, name: String)], String)])
  func `the error for a missing camera lists the cameras that exist`(
    cameras: [(path: String, name: String)], hint: String
  ) {
    let missing = SystemError(operation: "open", code: ENOENT)
    #expect(CameraFailure.opening("/dev/video9", missing) { cameras }.hint == hint)
  }

  @Test(arguments: [("/nonexistent/video0", CaptureError.Kind.notFound), ("/dev/null", .unsuitable)])
  func `a missing path and a device that is not a camera are distinguished`(
    path: String, kind: CaptureError.Kind
  ) {
    let error = #expect(throws: CaptureError.self) { try CameraDescription(path: path) }
    #expect(error?.kind == kind)
  }
}

@Suite struct CameraH264OpeningTests {
  private let sequence: [UInt8] = [0, 0, 0, 1, 0x67, 66, 0xC0, 30, 0x8C]
  private let picture: [UInt8] = [0, 0, 0, 1, 0x68, 0xCE, 0x3C, 0x80]
  private let keyframe: [UInt8] = [0, 0, 1, 0x65, 0x88, 0x84]
  private let other: [UInt8] = [0, 0, 1, 0x41, 0x9A, 0x24]
  private let record: [UInt8] = [
    1, 66, 0xC0, 30, 0xFF, 0xE1, 0, 5, 0x67, 66, 0xC0, 30, 0x8C, 1, 0, 4, 0x68, 0xCE, 0x3C, 0x80,
  ]

  @Test func `a codec's record is the same, however its parameter sets are spread over buffers`() {
    for buffers in [
      [sequence + picture + keyframe], [sequence + picture, keyframe], [sequence, picture, keyframe],
      [other, sequence + picture + keyframe], [sequence, sequence + picture, other, keyframe],
      [picture, sequence, keyframe],
    ] {
      #expect(records(buffers) == Array(repeating: nil, count: buffers.count - 1) + [record])
    }
  }

  @Test func `no codec's record is returned before both parameter sets and a keyframe arrive`() {
    for buffers in [
      [sequence, keyframe], [picture, keyframe], [sequence + picture + other], [keyframe], [[]],
    ] {
      #expect(records(buffers).allSatisfy { $0 == nil })
    }
  }

  private func records(_ buffers: [[UInt8]]) -> [[UInt8]?] {
    var opening = CameraH264Opening()
    return buffers.map { opening.take($0) }
  }
}
