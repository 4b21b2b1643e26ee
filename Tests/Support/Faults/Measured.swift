package import HoldfastMediaModel

/// The measured effects of a fault on a publisher.
package struct Measured: Sendable {
  package let fault: Fault
  package let subject: String
  /// From the fault until the publisher reported it.
  package let noticed: MediaTime?
  package let changes: [OutputChange]
  package let attempts: Int
  package let outage: MediaTime
  /// The longest time from the end of an outage to the first decodable picture at the server; nil if none
  /// came.
  package let firstMedia: MediaTime?
  /// The longest time to a picture captured after the outage, so not from a backlog; nil if none came.
  package let live: MediaTime?
  /// The longest time from a picture's capture to its arrival at the server.
  package let latest: MediaTime?
  /// The video that the server lacks or cannot decode.
  package let missing: MediaTime
  /// Pictures missing from the healthy server's recording, and from the publisher's own.
  package let lostElsewhere: Int
  package let lostLocally: Int
  package let changesElsewhere: [OutputChange]
  package let media: ServerMedia?
  package let log: String

  package var missingBeyondOutage: MediaTime { max(.zero, missing - outage) }

  package var states: [String] {
    changes.map(\.state).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  package var causes: Set<String> { Set(changes.compactMap(\.cause)) }

  package var cause: String? { changes.compactMap(\.cause).first }
}

extension Measured {
  /// The violated requirements, a line each. `slack` allows for a busy machine.
  package func overBars(slack: MediaTime = .zero) -> [String] {
    var over: [String] = []
    func expect(_ holds: Bool, _ line: @autoclosure () -> String) { if !holds { over.append(line()) } }
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
      // A server may also close the connection because a name is taken, so a few quick attempts are correct.
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

  private func isWithin(_ length: MediaTime?, _ bar: MediaTime) -> Bool { length.map { $0 <= bar } ?? false }
}
