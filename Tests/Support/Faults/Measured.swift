package import HoldfastMediaModel

/// What a fault did to a publisher.
package struct Measured: Sendable {
  package let fault: Fault
  package let subject: String
  /// From the fault until the publisher said something of its output.
  package let noticed: MediaTime?
  package let changes: [OutputChange]
  /// How often it tried to get in, where it never could.
  package let attempts: Int
  /// How long the fault lasted, all times together.
  package let outage: MediaTime
  /// From its end until the server had written a picture that can be decoded; the longest of all times. Nil: never.
  package let firstMedia: MediaTime?
  /// The same for a picture that was taken after the end, so it is no backlog.
  package let live: MediaTime?
  /// How late a picture came at most, from when it was taken until the server had written it.
  package let latest: MediaTime?
  /// How much of the picture the server never got, or can't decode.
  package let missing: MediaTime
  /// Pictures missing in the other server's recording, and in the publisher's own.
  package let lostElsewhere: Int
  package let lostLocally: Int
  /// What was said of the other output, which nothing happened to.
  package let changesElsewhere: [OutputChange]
  package let media: ServerMedia?
  package let said: String

  /// How much more is missing than the fault has to answer for.
  package var missingBeyondOutage: MediaTime { max(.zero, missing - outage) }

  package var states: [String] {
    changes.map(\.state).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  package var causes: Set<String> { Set(changes.compactMap(\.cause)) }

  package var cause: String? { changes.compactMap(\.cause).first }
}

extension Measured {
  /// What does not meet what is asked of Holdfast, a line each. `slack` is for a machine that has other things to do.
  package func overBars(slack: MediaTime = .zero) -> [String] {
    var over: [String] = []
    func expect(_ holds: Bool, _ line: @autoclosure () -> String) {
      if !holds { over.append(line()) }
    }
    if let bar = fault.traits.noticeBar {
      expect(
        isWithin(noticed, bar + slack), "noticed \(FaultTable.figure(noticed)), not \(FaultTable.figure(bar))"
      )
      expect(
        !fault.traits.states.isDisjoint(with: states), "none of \(fault.traits.states.sorted()) in \(states)")
      expect(
        fault.leavesConnection || !fault.traits.causes.isDisjoint(with: causes),
        "none of \(fault.traits.causes.sorted()) in \(causes.sorted())")
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
