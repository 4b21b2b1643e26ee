package import HoldfastMediaModel

extension Measured {
  /// What does not meet what is asked of Holdfast, a line each. `slack` is for a machine that has other things to do.
  package func overBars(slack: MediaTime = .zero) -> [String] {
    var over: [String] = []
    func expect(_ holds: Bool, _ line: @autoclosure () -> String) {
      if !holds { over.append(line()) }
    }
    if let bar = fault.noticeBar {
      expect(
        isWithin(noticed, bar + slack), "noticed \(FaultTable.figure(noticed)), not \(FaultTable.figure(bar))"
      )
      expect(!fault.states.isDisjoint(with: states), "none of \(fault.states.sorted()) in \(states)")
      expect(
        fault.leavesConnection || !fault.causes.isDisjoint(with: causes),
        "none of \(fault.causes.sorted()) in \(causes.sorted())")
    }
    if fault.isForGood {
      expect(media == nil, "it got in")
      // Some in quick succession are right, since a server may hang up on a taken name too.
      expect((1...6).contains(attempts), "\(attempts) attempts")
    } else {
      let loss = MediaTime(nanoseconds: Fault.lossBar.nanoseconds * Int64(fault.times))
      expect(isWithin(live, Fault.returnBar + slack), "back after \(FaultTable.figure(live))")
      expect(
        missingBeyondOutage <= loss + slack, "\(FaultTable.figure(missingBeyondOutage)) too much missing")
      expect(media?.isMonotone == true, "decode times that go back")
      expect(media?.hasBothTracksFromTheStart == true, "not both tracks from the first second")
    }
    expect(lostElsewhere == 0, "\(lostElsewhere) pictures missing at the other server")
    expect(lostLocally == 0, "\(lostLocally) pictures missing in its own recording")
    expect(changesElsewhere.isEmpty, "the other output: \(changesElsewhere.map(\.state))")
    return over
  }

  private func isWithin(_ length: MediaTime?, _ bar: MediaTime) -> Bool {
    length.map { $0 <= bar } ?? false
  }
}
