import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// Workers that publish what a host puts on air, as processes.
@Suite(.realTime) struct WorkerTests {
  /// A hub with one box that is live, and a server for the programme.
  private final class Hall {
    let folder = ScratchFolder()
    let hub: HubProcess
    let box: HoldfastSubject
    private let place = ScratchFolder()
    private let far = ScratchFolder()
    private let server: NginxRTMP

    init() throws {
      hub = try HubProcess(in: folder, options: ["--media-port", "0"])
      server = try NginxRTMP(in: far)
      box = try hub.box("Left", in: place)
      #expect(box.reports("output", "publishing"))
    }

    func worker(in folder: ScratchFolder) throws -> HoldfastProcess {
      try HoldfastProcess(
        [
          "programme", "http://127.0.0.1:\(hub.port)", "--", "--size", "640x360", "--record",
          folder.file("recordings"), "--events", folder.file("events"),
        ], environment: ["XDG_STATE_HOME": folder.file("state")])
    }

    private func command(_ fields: JSONValue) throws {
      #expect(try hub.client().command(fields, in: "Hall").status == 200)
    }

    func goOnAir() throws {
      try command(["command": "live", "outputs": .list([.text(server.url("append", "air"))])])
    }

    func goOffAir() throws { try command(["command": "off-air"]) }

    func job(_ field: String) throws -> JSONValue? {
      try hub.client().send("GET", "/v1/sessions/Hall")["onAir"]?.field(field)
    }

    func isLive() throws -> Bool { try job("state") == "live" }
  }

  private let first = ScratchFolder()
  private let second = ScratchFolder()

  @Test(arguments: [SIGKILL, SIGSTOP])
  func `a worker publishes what the host puts on air; another one takes over when it is killed or frozen`(
    _ fault: Int32
  ) throws {
    let hall = try Hall()
    let lost = try hall.worker(in: first)
    try hall.goOnAir()
    #expect(try eventually { try hall.isLive() })

    lost.signal(fault)
    #expect(try eventually { try hall.job("reason") == "workerLost" })
    let other = try hall.worker(in: second)
    #expect(try eventually { try hall.isLive() })
    if fault == SIGSTOP {
      // Nothing else than the silence of the first one ends its process, whose name the server would not give twice.
      lost.signal(SIGCONT)
      #expect(try lost.waitForOutput("another worker has it") && hall.isLive())
      lost.signal(SIGTERM)
    }
    _ = lost.result()
    try hall.goOffAir()
    #expect(try eventually { try hall.job("state") == "over" })
    try end(other)
    hall.box.finish()
    // The lease of the first one was over by then.
    try checkContinuation(after: 3000)
  }

  @Test func `a worker that is stopped gives its job to the next one at once`() throws {
    let hall = try Hall()
    let leaving = try hall.worker(in: first)
    try hall.goOnAir()
    #expect(try eventually { try hall.isLive() })
    try end(leaving)
    #expect(try hall.job("reason") == "workerStopped")
    let next = try hall.worker(in: second)
    #expect(try eventually { try hall.isLive() })
    try hall.goOffAir()
    try end(next)
    hall.box.finish()
    try checkContinuation(after: 0)
  }

  private func end(_ worker: HoldfastProcess) throws {
    let result = worker.end(by: SIGTERM)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// The second worker's broadcast goes on where the first one's was, and names what is missing between them.
  private func checkContinuation(after milliseconds: Double) throws {
    let events = try EventLines(String(contentsOfFile: second.file("events"), encoding: .utf8))
    let gap = try #require(
      events.named("gap").first { $0["cause"] as? String == "worker" }, "\(events.names)")
    for track in ["video", "audio"] { #expect(lostMs(gap, track) ?? 0 > milliseconds, "\(gap)") }
    #expect(events.named("resumed").first?["publishType"] as? String == "append")
    let names = try FileManager.default.contentsOfDirectory(atPath: second.file("recordings"))
    let paths = names.filter { $0.hasSuffix(".mp4") }.map { second.file("recordings/\($0)") }
    let places = ["XDG_STATE_HOME": second.file("state")]
    let verified = try HoldfastProcess.run(["verify"] + paths, environment: places)
    #expect(verified.status == 0 && verified.output.contains("worker"), "\(verified)")
  }
}
