import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// A broadcast whose process is killed while its server takes less than is sent.
@Suite(.longRealTime) struct CrashLossTests {
  private let folder = ScratchFolder()

  @Test func `what a slow server lacks at a kill is reported by the next start as that output's gap`() throws
  {
    let server = try NginxRTMP(in: folder)
    let proxy = try FaultProxy(to: server.port)
    let first = try HoldfastSubject(
      to: ["rtmp://127.0.0.1:\(proxy.port)/typed/slow"], options: ["--adaptive", "false"], in: folder)
    #expect(first.reports("publishing", ofOutputTo: proxy.port) && first.play(1), "\(first.log)")
    try proxy.perform(.throttle(bytesPerSecond: 20_000))
    #expect(first.play(6), "\(first.log)")
    let kill = MonotonicTime.now
    first.kill()
    // The kernel would still send what stands in its buffer.
    try proxy.perform(.reset)
    try proxy.perform(.pass)
    let second = try first.restarted()
    #expect(second.reports("publishing", ofOutputTo: proxy.port) && second.play(1), "\(second.log)")
    second.finish()

    func pictures(_ path: String) throws -> Set<MonotonicTime> {
      let times = try RecordingMarks(path: path).pictures.compactMap { $0.mark?.captureTime }
      return Set(times.filter { $0 < kill })
    }
    let recorded = try pictures(try #require(folder.recordings.first))
    let missing = Double(recorded.subtracting(try pictures(server.recording("typed", "slow"))).count)
    let told = second.lines.lostPictures { $0["output"] is String }
    // What a busy machine has not captured is missing in both.
    let busy = second.lines.lostPictures {
      $0["output"] as? String == nil && $0["cause"] as? String != "crash"
    }
    #expect(missing > 60 && abs(told - missing) <= 5 + busy, "\(told) of \(missing)\n\(second.log)")
  }
}
