import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// An interruption on a line that still carries what the operating system has sent long ago.
@Suite(.longRealTime) struct SlowLineTests {
  private let folder = ScratchFolder()

  @Test func `what a slow line carries at an interruption arrives, also when I return at once`() throws {
    let server = try NginxRTMP(in: folder)
    let proxy = try FaultProxy(to: server.port)
    let subject = try HoldfastSubject(
      to: ["rtmp://127.0.0.1:\(proxy.port)/typed/slow"], options: ["--adaptive", "false"], in: folder)
    #expect(subject.reports("publishing", ofOutputTo: proxy.port) && subject.play(2), "\(subject.log)")
    try proxy.perform(.throttle(bytesPerSecond: proxy.status().bytesUp / 2 * 3 / 4))
    #expect(subject.play(4), "\(subject.log)")
    let interruption = MonotonicTime.now
    try subject.interrupt()
    try subject.resume()
    #expect(subject.reports("output", "publishing", times: 2), "\(subject.log)")
    try proxy.perform(.pass)
    #expect(subject.play(2), "\(subject.log)")
    subject.finish()

    func pictures(_ path: String) throws -> Set<MonotonicTime> {
      Set(try RecordingMarks(path: path).pictures.compactMap { $0.mark?.captureTime })
    }
    let recorded = try pictures(try #require(folder.recordings.first))
    let missing = recorded.subtracting(try pictures(server.recording("typed", "slow")))
    #expect(missing.count { $0 < interruption } <= 1, "\(subject.log)")
    let told = subject.lines.lostPictures { $0["output"] is String }
    #expect(abs(told - Double(missing.count)) <= 3, "\(told) of \(missing.count)\n\(subject.log)")
  }
}
