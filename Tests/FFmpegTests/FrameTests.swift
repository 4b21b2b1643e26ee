import HoldfastFFmpeg
import HoldfastMediaModel
import Synchronization
import Testing

@Suite struct FrameTests {
  /// Memory that says when it is given back.
  private final class Buffer: @unchecked Sendable {  // one test has it
    let released = Atomic(0)
    let memory: UnsafeMutableRawBufferPointer

    init(_ count: Int) { memory = .allocate(byteCount: count, alignment: 64) }

    deinit { memory.deallocate() }
  }

  private func borrow(_ buffer: Buffer, _ format: PixelFormat, stride: Int) throws -> Frame {
    try Frame(
      borrowing: buffer.memory, size: PictureSize(width: 64, height: 32), format: format, bytesPerLine: stride
    ) { buffer.released.add(1, ordering: .relaxed) }
  }

  @Test func `borrowed memory is released exactly once, when the last reference is gone`() throws {
    let buffer = Buffer(64 * 32 * 2)
    do {
      let frame = try borrow(buffer, .yuyv422, stride: 128)
      do {
        let other = try frame.reference()
        let holds = (frame.isUniquelyReferenced, other.isUniquelyReferenced)
        #expect(holds == (false, false))
      }
      let isOnly = frame.isUniquelyReferenced
      #expect(isOnly && buffer.released.load(ordering: .relaxed) == 0)
    }
    #expect(buffer.released.load(ordering: .relaxed) == 1)
  }

  @Test func `memory that is too small for the picture is refused and released`() throws {
    let buffer = Buffer(1000)
    #expect(throws: FFmpegError.self) { _ = try borrow(buffer, .yuv420p, stride: 64) }
    #expect(buffer.released.load(ordering: .relaxed) == 1)
  }

  @Test func `the planes of borrowed memory follow one another`() throws {
    let count = 64 * 32 * 3 / 2
    let buffer = Buffer(count)
    buffer.memory[64 * 32] = 77
    buffer.memory[64 * 32 + 32 * 16] = 88
    let frame = try borrow(buffer, .yuv420p, stride: 64)
    let second = frame.withPlane(1) { bytes, stride in [Int(bytes[0]), stride, bytes.count] }
    let third = frame.withPlane(2) { bytes, _ in bytes[0] }
    let packed = try borrow(Buffer(count), .nv12, stride: 64)
    let chroma = packed.withPlane(1) { bytes, stride in [stride, bytes.count] }
    #expect((second, third, chroma) == ([77, 32, 32 * 16], 88, [64, 64 * 16]))
  }

  @Test func `a picture that already has the right format passes a converter untouched`() throws {
    let size = PictureSize(width: 64, height: 32)
    var converter = FrameConverter(size: size, format: .yuv420p)
    let frame = try Frame(size: size, format: .yuv420p)
    let address = frame.withPlane(0) { bytes, _ in UInt(bitPattern: bytes.baseAddress) }
    let result = try converter.convert(frame)
    let same = result.withPlane(0) { bytes, _ in UInt(bitPattern: bytes.baseAddress) }
    #expect(same == address)
  }

  @Test(arguments: [PixelFormat.nv12, .yuyv422, .uyvy422, .yuv422p, .rgb24, .bgr24])
  func `grey stays grey when converted to another format and size`(format: PixelFormat) throws {
    var converter = FrameConverter(size: PictureSize(width: 32, height: 16), format: .yuv420p)
    let result = try converter.convert(.uniform(PictureSize(width: 64, height: 32), format, 128))
    let size = result.size
    #expect(size == PictureSize(width: 32, height: 16))
    for plane in 0..<3 {
      let value = result.withPlane(plane) { bytes, _ in bytes[5] }
      #expect((122...132).contains(value))
    }
  }
}

extension Frame {
  /// A picture whose bytes are all the same.
  static func uniform(_ size: PictureSize, _ format: PixelFormat, _ value: UInt8) throws -> Frame {
    let frame = try Frame(size: size, format: format)
    for plane in 0..<3 {
      frame.withPlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: value) }
    }
    return frame
  }
}
