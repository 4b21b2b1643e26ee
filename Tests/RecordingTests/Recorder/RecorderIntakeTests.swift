import HoldfastMediaModel
import Testing

@testable import HoldfastRecording

@Suite struct RecorderIntakeTests {
  private static let now = MonotonicTime(nanoseconds: 0)

  /// Of one second.
  private func picture(_ second: Int64, isKeyframe: Bool = true) -> MediaPacket {
    MediaPacket(
      track: .video, decodeTime: .seconds(second), presentationTime: .seconds(second), duration: .seconds(1),
      isKeyframe: isKeyframe, bytes: [])
  }

  private func intake(_ packets: Range<Int64>) -> RecorderIntake {
    var settings = RecorderSettings()
    settings.queue = .seconds(4)
    var intake = RecorderIntake(settings)
    for second in packets { _ = intake.offer(picture(second), at: Self.now) }
    return intake
  }

  private func loss(_ at: Int64, _ seconds: Int64) -> Recorder.Loss {
    Recorder.Loss(
      track: .video, at: .seconds(at), duration: .seconds(seconds), packets: Int(seconds), cause: .diskTooSlow
    )
  }

  @Test func `a recorder's full queue takes nothing until it is half empty, and reports one loss`() {
    var intake = intake(0..<6)
    #expect(intake.length == .seconds(4))
    intake.remove(picture(0))
    #expect(intake.offer(picture(6), at: Self.now) == .lost(needsKeyframe: false))
    intake.remove(picture(1))
    #expect(intake.offer(picture(7), at: Self.now) == .accepted(after: loss(4, 3)))
  }

  @Test func `pictures continue with a keyframe after a loss`() {
    var intake = intake(0..<6)
    for second in 0..<4 { intake.remove(picture(Int64(second))) }
    let admissions = [6, 7, 8].map { intake.offer(picture($0, isKeyframe: $0 == 8), at: Self.now) }
    #expect(admissions.last == .accepted(after: loss(4, 4)))
    #expect(admissions.dropLast() == [.lost(needsKeyframe: true), .lost(needsKeyframe: false)])
  }

  @Test func `a keyframe is requested once a second after a loss`() {
    var intake = intake(0..<5)
    for second in 0..<4 { intake.remove(picture(Int64(second))) }
    let requests = [0, 500, 999, 1000].map { milliseconds in
      intake.offer(picture(5, isKeyframe: false), at: Self.now + .milliseconds(milliseconds))
    }
    #expect(requests == [true, false, false, true].map { .lost(needsKeyframe: $0) })
  }

  @Test func `packets given up in the queue begin the loss of those that found no room`() {
    var intake = intake(0..<6)
    for second in 0..<4 {
      intake.remove(picture(Int64(second)))
      intake.lose(picture(Int64(second)), .diskTooSlow)
    }
    #expect(intake.takeLosses() == [loss(0, 6)])
  }

  @Test func `packets given up in the queue are one loss, until a packet is written`() {
    var intake = intake(0..<4)
    for second in 0..<2 {
      intake.remove(picture(Int64(second)))
      intake.lose(picture(Int64(second)), .diskTooSlow)
      #expect(intake.offer(picture(Int64(4 + second)), at: Self.now) == .accepted(after: nil))
    }
    #expect(intake.written(.video) == loss(0, 2) && intake.written(.video) == nil)
  }

  @Test func `a recorder's closed queue takes nothing`() {
    var intake = intake(0..<0)
    intake.close()
    #expect(intake.offer(picture(0), at: Self.now) == .lost(needsKeyframe: false))
  }
}
