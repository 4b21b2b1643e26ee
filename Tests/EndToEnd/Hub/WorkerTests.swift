import Foundation
import HoldfastMediaModel
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// Workers that publish what a host puts on air, as processes.
@Suite(.realTime) struct WorkerTests {
  private let folder = ScratchFolder()

  private func worker(at hub: HubProcess, in folder: ScratchFolder) throws -> HoldfastProcess {
    try HoldfastProcess(
      ["programme", "http://127.0.0.1:\(hub.port)", "--", "--size", "640x360", "--record", "off"],
      environment: ["XDG_STATE_HOME": folder.file("state")])
  }

  @Test(arguments: [SIGKILL, SIGSTOP])
  func `a worker publishes what the host puts on air; another one takes over when it is killed or frozen`(
    _ fault: Int32
  ) throws {
    let hub = try HubProcess(in: folder, options: ["--media-port", "0"])
    let client = hub.client()
    let (place, first, second, far) = (ScratchFolder(), ScratchFolder(), ScratchFolder(), ScratchFolder())
    let server = try NginxRTMP(in: far)
    let box = try HoldfastSubject(
      options: ["--name", "Left", "--session", hub.address(of: "Hall"), "--as", "Left"], in: place
    ).whenLive()
    #expect(box.reports("output", "publishing"))
    let lost = try worker(at: hub, in: first)
    #expect(
      try client.command(
        ["command": "live", "outputs": .list([.text(server.url("append", "air"))])], in: "Hall"
      ).status == 200)
    func onAir() throws -> JSONValue? { try client.send("GET", "/v1/sessions/Hall")["onAir"] }
    func isLive() throws -> Bool { try onAir()?.field("state") == "live" }
    #expect(try eventually { try isLive() })

    lost.signal(fault)
    #expect(try eventually { try onAir()?.field("reason") == "workerLost" })
    let other = try worker(at: hub, in: second)
    #expect(try eventually { try isLive() })
    if fault == SIGSTOP {
      // Nothing else than the silence of the first one ends its process, whose name the server would not give twice.
      lost.signal(SIGCONT)
      #expect(lost.waitForOutput("another worker has it"))
      #expect(try isLive())
      lost.signal(SIGTERM)
    }
    _ = lost.result()
    #expect(try client.command(["command": "off-air"], in: "Hall").status == 200)
    #expect(try eventually { try onAir()?.field("state") == "over" })
    other.signal(SIGTERM)
    let result = other.result()
    #expect(result.status == 0, "\(result.errors)")
    box.finish()
  }
}
