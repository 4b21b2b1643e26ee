import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// A broadcast to a server that takes less than is sent, and for which the operating system still has what was sent long
/// ago.
@Suite(.longRealTime) struct SlowLineTests {
  private let folder = ScratchFolder()
  private let server: NginxRTMP
  private let proxy: FaultProxy
  private let subject: HoldfastSubject

  init() throws {
    server = try NginxRTMP(in: folder)
    proxy = try FaultProxy(to: server.port)
    subject = try HoldfastSubject(
      to: ["rtmp://127.0.0.1:\(proxy.port)/typed/slow"], options: ["--adaptive", "false"], in: folder)
    #expect(subject.reports("publishing", ofOutputTo: proxy.port), "\(subject.log)")
  }

  /// When the pictures were captured that are in the recording, and not in the server's file.
  private func missing() throws -> Set<MonotonicTime> {
    let recorded = try RecordingMarks(path: try #require(folder.recordings.first)).captures
    return Set(recorded).subtracting(try RecordingMarks(path: server.recording("typed", "slow")).captures)
  }

  @Test func `what a slow line carries at an interruption arrives, also when I return at once`() throws {
    #expect(subject.play(2), "\(subject.log)")
    try proxy.perform(.throttle(bytesPerSecond: proxy.status().bytesUp / 2 * 3 / 4))
    #expect(subject.play(4), "\(subject.log)")
    let interruption = MonotonicTime.now
    try subject.interrupt()
    try subject.resume()
    #expect(subject.reports("output", "publishing", times: 2), "\(subject.log)")
    try proxy.perform(.pass)
    #expect(subject.play(2), "\(subject.log)")
    subject.finish()
    let missing = try missing()
    #expect(missing.count { $0 < interruption } <= 1, "\(subject.log)")
    let told = subject.lines.lostPictures { $0["output"] is String }
    #expect(abs(told - Double(missing.count)) <= 3, "\(told) of \(missing.count)\n\(subject.log)")
  }

  @Test func `what a slow server lacks at a kill is reported by the next start as that output's gap`() throws
  {
    #expect(subject.play(1), "\(subject.log)")
    try proxy.perform(.throttle(bytesPerSecond: 20_000))
    #expect(subject.play(6), "\(subject.log)")
    let kill = MonotonicTime.now
    subject.kill()
    // The kernel would still send what stands in its buffer.
    try proxy.perform(.reset)
    try proxy.perform(.pass)
    let second = try subject.restarted()
    #expect(second.reports("publishing", ofOutputTo: proxy.port) && second.play(1), "\(second.log)")
    second.finish()
    let missing = try Double(missing().count { $0 < kill })
    let told = second.lines.lostPictures { $0["output"] is String }
    // What a busy machine has not captured is missing in both.
    let busy = second.lines.lostPictures { !($0["output"] is String) && $0["cause"] as? String != "crash" }
    // What the server has read but not yet acknowledged counts as missing, a second of it on a busy machine.
    let expected = missing - 5 - busy...missing + 30 + busy
    #expect(missing > 60 && expected.contains(told), "\(told) of \(missing)\n\(second.log)")
  }
}
