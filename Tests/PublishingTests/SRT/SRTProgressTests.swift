import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

@Suite struct SRTProgressTests {
  private var progress = SRTProgress(at: .at(0))

  private func statistics(acknowledgements: Int64 = 0, sent: Int64 = 0, lost: Int64 = 0) -> SRTStatistics {
    var statistics = SRTStatistics()
    statistics.acknowledgements = acknowledgements
    statistics.packetsSent = sent
    statistics.packetsLost = lost
    return statistics
  }

  @Test mutating func `only a new acknowledgement counts as progress`() {
    progress.update(statistics(acknowledgements: 1, sent: 10), at: .at(10))
    progress.update(statistics(acknowledgements: 1, sent: 20), at: .at(20))
    #expect(progress.last == .at(10))
    progress.update(statistics(acknowledgements: 2, sent: 20), at: .at(30))
    #expect(progress.last == .at(30))
  }

  @Test mutating func `the loss rate is unknown before anything is sent`() {
    progress.update(statistics(), at: .at(100))
    progress.update(statistics(), at: .at(200))
    #expect(progress.lossRate == nil)
  }

  @Test mutating func `a loss counts towards the loss rate for about a second`() throws {
    for step in 0...40 {
      // Of the first second's packets every fifth is lost, later none.
      let sent = Int64(step) * 10
      progress.update(statistics(sent: sent, lost: min(sent, 100) / 5), at: .at(Int64(step) * 100))
      if step == 10 { #expect(progress.lossRate == 0.2) }
    }
    #expect(progress.lossRate == 0)
  }

  @Test mutating func `the loss rate never exceeds 1, even if packets are lost repeatedly`() {
    progress.update(statistics(), at: .at(0))
    progress.update(statistics(sent: 10, lost: 50), at: .at(200))
    #expect(progress.lossRate == 1)
  }
}
