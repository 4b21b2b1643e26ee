import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// Checks the measurements with the ffmpeg command, whose behavior is known.
@Suite(.realTime, .long()) struct FaultRunTests {
  private func measure(_ fault: Fault) throws -> Measured {
    let folder = ScratchFolder()
    return try FaultRun.measure(fault, FFmpegSubject.self, healthy: NginxRTMP(in: folder))
  }

  @Test func `a killed server misses the media of its outage and of the reconnection`() throws {
    let measured = try measure(.killed)
    #expect(try #require(measured.noticed).seconds < 1)
    #expect(measured.missing.seconds >= measured.outage.seconds - 0.1)
    let back = try #require(measured.live)
    #expect(abs((measured.missing - measured.outage - back).seconds) < 0.5)
    #expect(measured.states.contains("publishing") && measured.causes.contains("Connection refused"))
    #expect(measured.lostElsewhere == 0 && measured.lostLocally == 0)
  }

  @Test func `a frozen server receives late what its kernel buffered`() throws {
    let measured = try measure(.frozen)
    #expect(measured.missing == .zero && measured.noticed == nil, "\(measured)")
    #expect(try #require(measured.latest) >= measured.outage - .milliseconds(100))
  }

  @Test func `a publisher with a wrong key is never on air`() throws {
    let measured = try measure(.wrongKey)
    #expect(measured.media == nil && measured.attempts >= 2, "\(measured)")
  }
}
