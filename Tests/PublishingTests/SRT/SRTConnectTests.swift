import Foundation
import Glibc
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// How an attempt to connect ends, and which error it reports.
@Suite(.realTime) struct SRTConnectTests {
  private let tracks: [Track]

  init() throws { tracks = try EncodedMedia.usual.get().tracks }

  /// Why an attempt failed; nil when it did not.
  private func failure(_ address: String, within limit: MediaTime = .seconds(10)) throws -> SinkError? {
    let run = try SRTRun(address)
    return TestSupport.failure { () throws(SinkError) in try run.open(tracks, within: limit) }
  }

  @Test func `a missing listener is noticed within the timeout of an attempt`() throws {
    let before = MonotonicTime.now
    let error = try failure("srt://127.0.0.1:\(try LoopbackPort().number)", within: .milliseconds(600))
    #expect(error?.kind == .timedOut)
    #expect(.now - before < .seconds(8))
  }

  @Test func `a listener that starts during the attempt is reached`() throws {
    let port = try LoopbackPort().number
    let run = try SRTRun("srt://127.0.0.1:\(port)")
    let listener = Locked<SRTListener?>(nil)
    Thread.detachNewThread {
      usleep(400_000)
      listener.withLock { $0 = try? SRTListener(port: port) }
    }
    try run.open(tracks)
    #expect(run.sink.health.isPeerAnswering)
  }

  @Test func `a stop ends an attempt at once`() throws {
    let run = try SRTRun("srt://127.0.0.1:\(try LoopbackPort().number)")
    let stop = run.stop
    Thread.detachNewThread {
      usleep(100_000)
      stop.signal()
    }
    let before = MonotonicTime.now
    let error = #expect(throws: SinkError.self) { try run.open(tracks, within: .seconds(30)) }
    #expect(error?.kind == .stopped)
    #expect(.now - before < .seconds(20))
  }

  @Test func `a name with addresses of both families connects to the one listened on`() throws {
    let listener = try SRTListener()
    #expect(try failure("srt://localhost:\(listener.port)") == nil)
  }

  @Test func `a name that does not exist is reported as unresolved`() throws {
    #expect(try failure("srt://nowhere.invalid:9000")?.kind == .unresolved)
  }

  @Test func `the right passphrase is accepted with any key length`() throws {
    for length in [16, 24, 32] {
      let listener = try SRTListener(arguments: "&passphrase=abcdefghijk&pbkeylen=\(length)")
      let error = try failure("srt://127.0.0.1:\(listener.port)?passphrase=abcdefghijk&pbkeylen=\(length)")
      #expect(error == nil)
    }
  }

  @Test(arguments: ["?passphrase=not-the-right-one", ""])
  func `a wrong or missing passphrase is refused without being shown`(arguments: String) throws {
    let listener = try SRTListener(arguments: "&passphrase=abcdefghijk")
    let error = try failure("srt://127.0.0.1:\(listener.port)\(arguments)")
    #expect(error?.kind == .refused)
    #expect(["passphrase", "not-the-right-one"].map { error?.what.contains($0) } == [true, false])
  }

  @Test func `the stream ID reaches the listener unchanged`() throws {
    let listener = try SRTRefuser(0)
    #expect(try failure("srt://127.0.0.1:\(listener.port)?streamid=%23!::r=live/one,m=publish") == nil)
    #expect(listener.nextStreamID() == "#!::r=live/one,m=publish")
  }

  @Test(
    arguments: [
      (1409, .nameTaken), (1423, .nameTaken), (1401, .refused), (1403, .refused), (1404, .refused),
      (1402, .unreachable), (1503, .unreachable), (1405, .refused), (1000, .closedBeforeAccepted),
      (1777, .closedBeforeAccepted), (2001, .closedBeforeAccepted),
    ] as [(Int32, OutputFailure)])
  func `a server's rejection code decides the kind of failure`(code: Int32, kind: OutputFailure) throws {
    let listener = try SRTRefuser(code)
    let error = try failure("srt://127.0.0.1:\(listener.port)?streamid=secret-name")
    #expect((error?.kind, error?.what.contains("secret-name")) == (kind, false))
  }

  @Test func `SRT refuses AV1 before anything is sent`() throws {
    let track = Track(codec: .av1, format: SampleTracks.video.format, headers: [10], bitrate: 0)
    let run = try SRTRun("srt://127.0.0.1:\(try LoopbackPort().number)")
    let error = #expect(throws: SinkError.self) { try run.open([track]) }
    #expect(error?.kind == .unsupported)
  }
}
