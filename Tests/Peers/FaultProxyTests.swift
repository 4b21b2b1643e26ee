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

  /// A publisher, after a second of its video has been recorded.
  private func publishing() throws -> Publisher {
    let publisher = try publish()
    #expect(tail.hasPictures(moreThan: 15))
    return publisher
  }

  /// The number of tags after no more arrive.
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

  @Test func `a proxy forwards and counts`() throws {
    let publisher = try publishing()
    let status = try proxy.status()
    #expect((status.connections, status.accepted) == (1, 1))
    #expect(status.bytesUp > 10_000 && status.bytesDown > 3000)
    publisher.stop()
  }

  @Test func `a stalled proxy forwards nothing until it passes again`() throws {
    let publisher = try publishing()
    try proxy.perform(.stall)
    let before = settledCount()
    try proxy.perform(.pass)
    #expect(tail.wait { $0.count > before + 15 } && publisher.isRunning)
  }

  @Test func `a black hole resets connections that lost bytes when it ends`() throws {
    let publisher = try publishing()
    try proxy.perform(.blackHole)
    _ = settledCount()
    #expect(publisher.isRunning)
    try proxy.perform(.pass)
    #expect(publisher.end() != 0)
  }

  @Test func `a vanished proxy does not answer connection attempts`() throws {
    try proxy.perform(.vanish)
    let script = "timeout 2 bash -c 'exec 3<>/dev/tcp/127.0.0.1/$0' $0; echo $?"
    let connect = ["bash", "-c", script, "\(proxy.port)"]
    #expect(try Tool.run(connect) == "124\n")
    try proxy.perform(.pass)
    #expect(try Tool.run(connect) == "0\n")
  }

  @Test(arguments: [FaultProxy.Command.reset, .close, .cut(afterBytes: 5000, .reset)])
  func `a proxy can end a connection`(command: FaultProxy.Command) throws {
    let publisher = try publishing()
    try proxy.perform(command)
    #expect(publisher.end() != 0)
  }

  @Test func `a proxy cuts a connection after exactly the given number of bytes`() throws {
    try proxy.perform(.cut(afterBytes: 20_000, .reset))
    #expect(try publish().end() != 0)
    let status = try proxy.status()
    #expect(status.bytesUp == 20_000 && status.cutAt != nil, "\(status)")
  }

  @Test(arguments: [FaultProxy.Command.refuse, .reject])
  func `a refusing or rejecting proxy lets no one through`(command: FaultProxy.Command) throws {
    try proxy.perform(command)
    #expect(try publish().end() != 0)
    try proxy.perform(.pass)
    try publishing().stop()
  }

  @Test func `the name of an orphan is taken until it is reaped`() throws {
    let first = try publishing()
    try proxy.perform(.orphan)
    #expect(try first.end() != 0 && publish().end() != 0)
    try proxy.perform(.reap)
    let before = tail.tags.count
    let third = try publish()
    #expect(tail.wait { $0.count > before + 15 })
    third.stop()
  }

  @Test func `a throttled proxy limits the rate`() throws {
    try proxy.perform(.throttle(bytesPerSecond: 4000))
    let publisher = try publish()
    let begin = ContinuousClock.now
    while try proxy.status().bytesUp < 12_000, publisher.isRunning { usleep(10_000) }
    #expect(begin.duration(to: .now) > .milliseconds(2700))
    #expect(try proxy.status().bytesUp < 13_000)
  }

  @Test func `a holding proxy does not respond to new connections until it passes`() throws {
    try proxy.perform(.hold)
    let publisher = try publish()
    #expect(!tail.wait(atMost: 2) { !$0.isEmpty })
    try proxy.perform(.pass)
    #expect(tail.hasPictures(moreThan: 15))
    publisher.stop()
  }
}
