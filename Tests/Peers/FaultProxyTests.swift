import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct FaultProxyTests {
  private let folder = ScratchFolder()
  private let server: NginxRTMP
  private let proxy: FaultProxy
  private let tail: FLVTail

  init() throws {
    server = try NginxRTMP(in: folder)
    proxy = try FaultProxy(to: server.port)
    tail = FLVTail(path: server.recording("append", "porch"))
  }

  private func publish() throws -> Publisher {
    try Publisher("flv", to: "rtmp://127.0.0.1:\(proxy.port)/append/porch")
  }

  /// A publisher of whom a second of video has been recorded.
  private func publishing() throws -> Publisher {
    let publisher = try publish()
    #expect(tail.hasPictures(moreThan: 15))
    return publisher
  }

  /// How many tags are there when no more come.
  private func settledCount() -> Int {
    var last = -1
    _ = tail.wait { tags in
      defer { last = tags.count }
      if last == tags.count { return true }
      usleep(500_000)
      return false
    }
    return last
  }

  @Test func `it forwards, and counts`() throws {
    let publisher = try publishing()
    let status = try proxy.status()
    #expect(
      status.connections == 1 && status.accepted == 1 && status.bytesUp > 10_000 && status.bytesDown > 3000)
    publisher.stop()
  }

  @Test func `stalled, nothing arrives until it passes again`() throws {
    let publisher = try publishing()
    try proxy.make(.stall)
    let before = settledCount()
    try proxy.make(.pass)
    #expect(tail.wait { $0.count > before + 15 })
    #expect(publisher.isRunning)
  }

  @Test func `a black hole swallows, and resets what lost bytes once it is over`() throws {
    let publisher = try publishing()
    try proxy.make(.blackHole)
    _ = settledCount()
    #expect(publisher.isRunning)
    try proxy.make(.pass)
    #expect(publisher.end() != 0)
  }

  @Test func `vanished, not even an attempt to connect is answered, until it is back`() throws {
    try proxy.make(.vanish)
    let script = "timeout 2 bash -c 'exec 3<>/dev/tcp/127.0.0.1/$0' $0; echo $?"
    let connect = ["bash", "-c", script, "\(proxy.port)"]
    #expect(try Tool.run(connect) == "124\n")
    try proxy.make(.pass)
    #expect(try Tool.run(connect) == "0\n")
  }

  @Test(arguments: [FaultProxy.Command.reset, .close, .cut(afterBytes: 5000, .reset)])
  func `a connection can be ended`(command: FaultProxy.Command) throws {
    let publisher = try publishing()
    try proxy.make(command)
    #expect(publisher.end() != 0)
  }

  @Test func `a cut comes after exactly so many bytes`() throws {
    try proxy.make(.cut(afterBytes: 20_000, .reset))
    #expect(try publish().end() != 0)
    let status = try proxy.status()
    #expect(status.bytesUp == 20_000)
    #expect(status.cutAt != nil)
  }

  @Test(arguments: [FaultProxy.Command.refuse, .reject])
  func `refused or rejected, nobody gets through`(command: FaultProxy.Command) throws {
    try proxy.make(command)
    #expect(try publish().end() != 0)
    try proxy.make(.pass)
    let publisher = try publishing()
    publisher.stop()
  }

  @Test func `the server holds an orphan's name until it is reaped`() throws {
    let first = try publishing()
    try proxy.make(.orphan)
    #expect(first.end() != 0)
    #expect(try publish().end() != 0)
    try proxy.make(.reap)
    let before = tail.tags.count
    let third = try publish()
    #expect(tail.wait { $0.count > before + 15 })
    third.stop()
  }

  @Test func `throttled, no more goes through than that`() throws {
    try proxy.make(.throttle(bytesPerSecond: 4000))
    let publisher = try publish()
    let begin = ContinuousClock.now
    while try proxy.status().bytesUp < 12_000, publisher.isRunning { usleep(10_000) }
    #expect(begin.duration(to: .now) > .milliseconds(2700))
    #expect(try proxy.status().bytesUp < 13_000)
  }

  @Test func `held, a new connection hears nothing until it passes`() throws {
    try proxy.make(.hold)
    let publisher = try publish()
    #expect(!tail.wait(atMost: 2) { !$0.isEmpty })
    try proxy.make(.pass)
    #expect(tail.hasPictures(moreThan: 15))
    publisher.stop()
  }
}
