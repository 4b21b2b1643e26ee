import Foundation
import HoldfastTesting
import TestTraits
import Testing

@testable import Holdfast

/// A publisher at servers with the habits of others.
@Suite(.realTime) struct LocalServerHabitTests {
  @Test(arguments: [LocalServer.Habit.closesInsteadOfRefusing, .acceptsBeforeRefusing])
  func `a refusal without words is retried every few seconds, and nothing counts as published before it ends`(
    habit: LocalServer.Habit
  ) async throws {
    let server = try LocalServer(habits: [habit])
    server.refuseNext(4)
    let broadcaster = try Broadcaster.ofTestSignals(to: server)
    let events = broadcaster.events()
    async let reports = broadcaster.run()
    var states: [OutputState] = []
    for await event in events {
      guard case .output(let change) = event.kind else { continue }
      states.append(change.state)
      if change.state == .publishing { broadcaster.stop() }
    }
    #expect(try await reports.first?.outputCount == 1)
    let causes = states.compactMap { if case .waiting(let failure, _) = $0 { failure } else { nil } }
    #expect(causes == [.refusedOrTaken] && states.count { $0 == .publishing } == 1, "\(states)")
    #expect(server.endedStreams.last?.isContinuation == false)
  }

  private static let habits: [Set<LocalServer.Habit>] =
    [[], [.withholdsPongs, .withholdsAcknowledgements]]
    + (LongTests.run()
      ? [
        [.ignoresGoodBye], [.withholdsPongs], [.withholdsAcknowledgements],
        [.ignoresGoodBye, .withholdsPongs],
      ] : [])

  /// Under the thread sanitizer, the last media before an interruption may be encoded too late.
  private let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

  @Test(arguments: habits, [false, true])
  func `an interruption in order loses nothing, and its return appends`(
    habits: Set<LocalServer.Habit>, returnsAtOnce: Bool
  ) async throws {
    let server = try LocalServer(habits: habits)
    let broadcaster = try Broadcaster.ofTestSignals(to: server)
    let events = broadcaster.events()
    async let reports = broadcaster.run()
    var returns = 0
    var (outages, pauses): ([Gap], [Gap]) = ([], [])
    for await event in events {
      switch event.kind {
      case .output(let change) where change.state == .publishing:
        guard returns < 3 else {
          broadcaster.stop()
          continue
        }
        try await broadcaster.interrupt()
        guard returnsAtOnce else { continue }
        returns += 1
        try await broadcaster.resume()
      case .output(let change) where change.state == .closed && returns < 3 && !returnsAtOnce:
        returns += 1
        try await broadcaster.resume()
      case .gap(let gap) where gap.cause == .network: outages.append(gap)
      case .gap(let gap) where gap.cause == .user: pauses.append(gap)
      default: break
      }
    }
    let report = try #require(try await reports.first)
    // However busy the machine is, nothing that arrived is told as lost, and all that is missing is told.
    let (streams, lost) = (server.endedStreams, report.gaps.filter { $0.cause != .user })
    let pictures =
      streams.reduce(0) { $0 + ($1.video?.packets ?? 0) } + lost.reduce(0) { $0 + $1.lostPictures }
    let packets = streams.reduce(0) { $0 + ($1.audio?.packets ?? 0) }
    let silent = lost.filter { $0.isFilled != true }.reduce(Duration.zero) { $0 + $1.lostAudio }
    let known = [.seconds(pictures) / 30, .milliseconds(packets * 1024) / 48 + silent]
    // A camera without processor time has not delivered its last pictures when it is stopped.
    let range = (report.duration - .milliseconds(250))...(report.duration + .milliseconds(100))
    #expect(known.allSatisfy(range.contains), "\(known) of \(report.duration): \(streams) \(report.gaps)")
    // Media time continues without an output that a busy machine has not connected again in time.
    let isLateOnly = outages.allSatisfy { outage in
      pauses.contains {
        outage.mediaTime > $0.mediaTime - .milliseconds(40) && outage.mediaTime < $0.mediaTime + .seconds(1)
      }
    }
    let isTooBusy = isSanitized || lost.contains { [.encoderTooSlow, .source].contains($0.cause) }
    #expect(isLateOnly || isTooBusy, "\(outages) \(pauses)")
    #expect(report.outputCount == 1)
    #expect(server.endedStreams.map(\.isContinuation) == [false, true, true, true])
  }
}
