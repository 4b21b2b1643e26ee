import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Sessions at one hub: everybody joins, beats for a while, and perhaps loses the hub.
final class HubRun {
  struct Plan {
    let name: String
    var store = HubStack.Store.redis
    var usesTLS = false
    let sessions: Int
    let seconds: Int
    /// Whether the hub is killed at the end, twice.
    var losesHub = false
  }

  private let plan: Plan
  private let stack: HubStack
  private let crowd: Crowd
  private var claims = Claims()

  /// The goal for a beat, in milliseconds.
  private static let beatGoal = 50.0
  private static let absence = MediaTime.seconds(25)

  init(_ plan: Plan) throws {
    self.plan = plan
    stack = try HubStack(plan.store, usesTLS: plan.usesTLS)
    let host = "127.0.0.1:\(stack.port.number)"
    let members = try (0..<plan.sessions * CrowdMember.perSession).map { [stack] in
      try CrowdMember($0, host: host, secret: stack.secret)
    }
    crowd = try Crowd(members, port: stack.port.number, tls: plan.usesTLS ? try ClientTLS() : nil)
  }

  deinit { stack.stop() }

  func run() throws -> Bool {
    let count = crowd.members.count
    say(
      "\(plan.name): \(plan.sessions) sessions, \(count) members, a stream of events in each session; load "
        + "average before \(figure(Self.loadAverage))")
    connect()
    try join()
    beat()
    if plan.losesHub {
      try comeBack("the hub was killed, and away for \(Self.absence.seconds.formatted()) s") {}
      try comeBack("the same, and meanwhile the store has failed over, so that all leases are over") {
        try stack.beginEpoch()
      }
    }
    if !claims.hold { say(stack.log) }
    say("")
    return claims.hold
  }

  /// Of the last minute: what others do on the machine is in all that is measured.
  private static var loadAverage: Double {
    var average = 0.0
    return getloadavg(&average, 1) == 1 ? average : .nan
  }

  /// The hosts' connections alone, which with TLS cost a handshake each.
  private func connect() {
    let (time, began) = (ProcessorTime(of: stack.hubProcess), MonotonicTime.now)
    crowd.openConnections()
    let isDone = crowd.live(until: began + .seconds(8)) { crowd.figures.handshakes == plan.sessions }
    let (seconds, processor) = ((MonotonicTime.now - began).seconds, time.seconds)
    claims.check(isDone, "all hosts are connected (\(crowd.figures.handshakes) are)")
    say(
      "  \(plan.sessions) connections opened in \(figure(seconds, 2)) s, the hub took "
        + "\(figure(processor * 1000 / Double(plan.sessions), 2)) ms of CPU for each")
    _ = crowd.takeFigures()
  }

  private func join() throws {
    let (time, began) = (ProcessorTime(of: stack.hubProcess), MonotonicTime.now)
    crowd.beginJoining()
    guard crowd.live(until: began + .seconds(90), isDone: { crowd.areAllIn }) else {
      throw TestFailure("only \(crowd.members.count { $0.lease != nil }) members came in\n\(stack.log)")
    }
    let (seconds, processor) = ((MonotonicTime.now - began).seconds, time.seconds)
    let figures = crowd.takeFigures()
    say(
      "  joined in \(figure(seconds)) s, 32 at once, first beats beside: join \(Percentiles(figures.joins)) ms; refusals: "
        + figures.refusals)
    say(
      "  the hub took \(figure(processor * 1000 / Double(crowd.members.count), 2)) ms of CPU for each connection, join and "
        + "first beats")
    crowd.openStreams()
    let opened = crowd.live(until: .now + .seconds(15)) { crowd.openReaders == plan.sessions }
    claims.check(opened, "all streams are open (\(crowd.openReaders) are)")
    crowd.changesReports = true
    crowd.live(until: .now + .seconds(3))
  }

  private func beat() {
    _ = crowd.takeFigures()
    let times = stack.processes.map { ($0.name, $0.id, ProcessorTime(of: $0.id)) }
    crowd.live(until: .now + .seconds(Int64(plan.seconds)))
    let (figures, lines) = (crowd.takeFigures(), times.map(Self.use))
    let beats = Percentiles(figures.beats)
    let rate = Double(figures.beats.count) / Double(plan.seconds)
    say("  \(plan.seconds) s, \(figure(rate, 0)) beats a second: \(beats) ms; refusals: \(figures.refusals)")
    say(
      "  changes, 1 of \(CrowdMember.beatsPerChange) beats, to their events: \(Percentiles(figures.events)) ms"
    )
    for line in lines { say(line) }
    claims.check(
      beats.share(0.99) <= Self.beatGoal, "99 % of the beats within \(figure(Self.beatGoal, 0)) ms")
    claims.check(figures.failed == 0, "no beat is lost or refused (\(figures.failed) are)")
    claims.check(crowd.openReaders == plan.sessions, "all streams stay open")
  }

  /// What a process took; of the hub also its busy threads.
  private static func use(of name: String, _ process: pid_t, _ time: ProcessorTime) -> String {
    let (shares, memory) = (time.shares, ProcessFigures(of: process))
    let line =
      "  " + padded(name, 14)
      + String(
        format: "CPU %5.1f %% of a core   memory %6.1f MB, at most %6.1f", shares[""] ?? 0,
        Double(memory?.memoryKilobytes ?? 0) / 1024, Double(memory?.peakKilobytes ?? 0) / 1024)
    guard name == "hub" else { return line }
    let threads = shares.filter { !$0.key.isEmpty && $0.key != name && $0.value >= 0.5 }
    let busiest = threads.sorted { $0.value > $1.value }.map { "\($0) \(figure($1))" }
    return line + "   (" + busiest.joined(separator: ", ") + ")"
  }

  /// Kills the hub and starts it again; `meanwhile` happens in between.
  private func comeBack(_ title: String, _ meanwhile: () throws -> Void) throws {
    stack.kill()
    crowd.live(until: .now + Self.absence)
    try meanwhile()
    _ = crowd.takeFigures()
    crowd.forgetAnswers()
    try stack.start()
    let (serving, time) = (MonotonicTime.now, ProcessorTime(of: stack.hubProcess))
    let areBack = crowd.live(until: serving + .seconds(75)) { crowd.heard == crowd.members.count }
    let all = (MonotonicTime.now - serving).seconds
    let processor = time.seconds
    let figures = crowd.takeFigures()
    let times = crowd.members.compactMap(\.firstHeard).map { ($0 - serving).seconds }
    let streams = crowd.live(until: serving + .seconds(80)) { crowd.openReaders == plan.sessions }
    say("  \(title)")
    say(
      "    back with an answer to a beat: \(Percentiles(times)) s after it served again; \(figures.joins.count) joined anew, "
        + "join \(Percentiles(figures.joins)) ms")
    say(
      "    at most \(figures.mostPerSecond) requests begun in a second; beats \(Percentiles(figures.beats)) ms; refusals: "
        + "\(figures.refusals); \(figures.timeouts) without an answer; the hub took \(figure(processor)) s of CPU in \(figure(all)) s"
    )
    claims.check(areBack, "all are back (\(crowd.heard) are)")
    claims.check(streams, "all streams are open again (\(crowd.openReaders) are)")
    claims.check(figures.timeouts == 0, "no request was without an answer")
  }
}
