import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastBroadcasting

/// The gates asked before a broadcast goes live, each on its own.
@Suite(.realTime) struct GateUnitTests {
  private static let broadcast = BroadcastInfo(id: "b1", name: "hall", outputs: ["a", "b"])

  private func gate(_ command: String, environment: [String: String] = [:]) -> CommandGate {
    CommandGate(command, environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 })
  }

  private func failure(_ gate: some GoLiveGate) async -> (any Error)? {
    do { try await gate.authorize(Self.broadcast) } catch { return error }
    return nil
  }

  /// The error of a gate that is cancelled once `condition` is true.
  private func failure(_ gate: some GoLiveGate, cancelledOnce condition: () -> Bool) async -> (any Error)? {
    // A group's task runs on this test's threads; those of the pool may be busy for long.
    await withTaskGroup { group in
      group.addTask { await failure(gate) }
      #expect(await comes(condition))
      group.cancelAll()
      return await group.next() ?? nil
    }
  }

  /// Whether `condition` becomes true. No thread is blocked meanwhile: the gates' tasks need them.
  private func comes(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<3000 where !condition() { try? await Task.sleep(for: .milliseconds(10)) }
    return condition()
  }

  @Test func `a gate command's exit status 0 lets a broadcast go live`() async {
    #expect(await failure(gate("exit 0")) == nil)
  }

  @Test func `a gate's command learns the broadcast from its arguments and environment`() async {
    let wanted = "start b1 hall a b"
    let said = #"echo "$1 $HOLDFAST_GATE_BROADCAST $HOLDFAST_GATE_NAME $HOLDFAST_GATE_OUTPUTS""#
    #expect(await failure(gate("\(said); exit 4")) as? CommandGate.Failure == .exited(4, said: wanted))
  }

  @Test func `a gate's command does not get holdfast's own settings and keys`() async {
    let ours = ["HOLDFAST_TO": "rtmp://host/live/s3cret", "NOTIFY_SOCKET": "/x", "NOTIFYX": "y"]
    let gate = gate("env | grep -E 'HOLDFAST_TO|NOTIFY' | tr '\\n' ' '; exit 1", environment: ours)
    #expect(await failure(gate) as? CommandGate.Failure == .exited(1, said: "NOTIFYX=y "))
  }

  @Test func `a gate's reason for refusal is truncated if it is too long`() async {
    let error = await failure(gate("head -c 3000 /dev/zero | tr '\\0' x; exit 1"))
    #expect("\(error ?? CancellationError())".count == 201)
  }

  @Test func `cancelling a command gate ends its command`() async throws {
    let folder = ScratchFolder()
    let number = folder.file("number")
    let gate = gate("trap '' TERM; echo $$ > '\(number)'; while :; do sleep 1; done")
    func identifier() -> pid_t? {
      (try? String(contentsOfFile: number, encoding: .utf8)).flatMap {
        pid_t($0.trimmingCharacters(in: .newlines))
      }
    }
    #expect(await failure(gate, cancelledOnce: { identifier() != nil }) is CancellationError)
    #expect(kill(try #require(identifier()), 0) == -1)
  }

  /// The refusal of several gates, asked by a runner; nil if they pass.
  private func refusal(_ gates: [any GoLiveGate]) async -> GateError? {
    await withCheckedContinuation { done in
      let runner = GateRunner(gates) { _, report in
        switch report {
        case .began: break
        case .passed: done.resume(returning: nil)
        case .refused(let error): done.resume(returning: error)
        }
      }
      runner.ask(1, about: Self.broadcast)
    }
  }

  @Test func `several gates must all pass, and the first refusal cancels the others`() async {
    let waiting = Waiting()
    let error = await refusal([gate("echo no; exit 1"), waiting])
    #expect(error.map { "\($0)" } == "the gate refused: no")
    #expect(await comes { waiting.isCancelled.withLock { $0 } })
    #expect(await refusal([gate("true"), gate("true")]) == nil)
  }

  private struct Waiting: GoLiveGate {
    let isCancelled = Locked(false)
    func authorize(_ broadcast: BroadcastInfo) async throws {
      defer { isCancelled.withLock { $0 = true } }
      try await Task.sleep(for: .seconds(60))
    }
  }

  private struct Blocking: GoLiveGate {
    let end: Wakeup
    func authorize(_ broadcast: BroadcastInfo) async throws { end.wait(until: nil) }
  }

  private struct Throwing: GoLiveGate {
    func authorize(_ broadcast: BroadcastInfo) async throws { throw NotReady(reason: "no", by: "Max") }
  }

  @Test func `a gate that blocks its thread does not keep another one from refusing`() async throws {
    let end = try Wakeup()
    defer { end.signal() }
    #expect(await refusal([Blocking(end: end), Throwing()]) != nil)
  }

  @Test func `gates are asked while every thread of the pool is blocked`() throws {
    let (end, blocked) = (try Wakeup(), Locked(0))
    defer { end.signal() }
    // This test blocks one thread itself.
    let others = ProcessInfo.processInfo.activeProcessorCount - 1
    let block: @Sendable () -> Void = {
      blocked.withLock { $0 += 1 }
      end.wait(until: .now + .seconds(20))
    }
    for _ in 0..<others { Task { block() } }
    let begun = MonotonicTime.now + .seconds(20)
    while blocked.withLock({ $0 }) < others, .now < begun { usleep(1000) }
    let reports = BoundedQueue<Bool>(capacity: 4)
    let runner = GateRunner([Throwing()]) { _, report in
      switch report {
      case .began: _ = reports.offer(true)
      case .passed: break
      case .refused: _ = reports.offer(false)
      }
    }
    runner.ask(1, about: Self.broadcast)
    let limit = MonotonicTime.now + .seconds(10)
    #expect([reports.take(until: limit), reports.take(until: limit)] == [true, false])
  }

  @Test func `a gate error keeps the error that the gate threw`() {
    let error = GateError(.refused, underlying: NotReady(reason: "too dark", by: "Max"))
    #expect(error.underlying as? NotReady == NotReady(reason: "too dark", by: "Max"))
    #expect("\(error)" == "the gate refused: too dark")
  }
}
