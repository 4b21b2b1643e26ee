import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// That the measuring measures: with the ffmpeg command, whose ways are known.
@Suite(.realTime) struct FaultRunTests {
  private func measure(_ fault: Fault) throws -> Measured {
    let folder = ScratchFolder()
    return try FaultRun.measure(fault, FFmpegSubject.self, healthy: NginxRTMP(in: folder))
  }

  @Test func `what a killed server misses is its outage and what the publisher took to come back`() throws {
    let measured = try measure(.killed)
    #expect(try #require(measured.noticed).seconds < 1)
    #expect(measured.missing.seconds >= measured.outage.seconds - 0.1)
    let back = try #require(measured.live)
    #expect(abs((measured.missing - measured.outage - back).seconds) < 0.5)
    #expect(measured.states.contains("publishing") && measured.causes.contains("Connection refused"))
    #expect(measured.lostElsewhere == 0 && measured.lostLocally == 0)
  }

  @Test func `a frozen server misses nothing that its kernel holds, but has it late`() throws {
    let measured = try measure(.frozen)
    #expect(measured.missing == .zero)
    #expect(measured.noticed == nil)
    #expect(try #require(measured.latest) >= measured.outage - .milliseconds(100))
  }

  @Test func `who is not let in by a key is never on air`() throws {
    let measured = try measure(.wrongKey)
    #expect(measured.media == nil)
    #expect(measured.attempts >= 2)
  }
}
