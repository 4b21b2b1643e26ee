import HoldfastMediaModel
import Testing

@testable import HoldfastCapture

@Suite struct CameraH264OpeningTests {
  private let sequence: [UInt8] = [0, 0, 0, 1, 0x67, 66, 0xC0, 30, 0x8C]
  private let picture: [UInt8] = [0, 0, 0, 1, 0x68, 0xCE, 0x3C, 0x80]
  private let keyframe: [UInt8] = [0, 0, 1, 0x65, 0x88, 0x84]
  private let other: [UInt8] = [0, 0, 1, 0x41, 0x9A, 0x24]
  private let record: [UInt8] = [
    1, 66, 0xC0, 30, 0xFF, 0xE1, 0, 5, 0x67, 66, 0xC0, 30, 0x8C, 1, 0, 4, 0x68, 0xCE, 0x3C, 0x80,
  ]

  @Test func `the record is the same, however the parameter sets are spread over buffers`() {
    for buffers in [
      [sequence + picture + keyframe], [sequence + picture, keyframe], [sequence, picture, keyframe],
      [other, sequence + picture + keyframe], [sequence, sequence + picture, other, keyframe],
      [picture, sequence, keyframe],
    ] {
      var opening = CameraH264Opening()
      let results = buffers.map { opening.take($0) }
      #expect(results.dropLast().allSatisfy { $0 == nil })
      #expect(results.last == record)
    }
  }

  @Test func `nothing is said before both parameter sets and a keyframe have come`() {
    for buffers in [
      [sequence, keyframe], [picture, keyframe], [sequence + picture + other], [keyframe], [[]],
    ] {
      var opening = CameraH264Opening()
      for buffer in buffers { #expect(opening.take(buffer) == nil) }
    }
  }
}
