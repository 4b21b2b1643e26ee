import Foundation
import HoldfastMediaModel
import TestSupport

/// A session's programme, through all that can happen to its workers and to a hub. It shows one box, whose marks say what
/// the server's recording lacks.
struct OnAir {
  private let house: TwoHubs
  private let host: HubClient
  private let box: SessionBox

  init(_ house: TwoHubs) throws {
    self.house = house
    host = try house.host()
    box = try SessionBox("Left", at: house.address, token: try house.token("host", "Left"))
  }

  /// A worker in a process of its own, with what it records.
  private final class Worker {
    let folder = ScratchFolder()
    let process: HoldfastProcess

    init(_ house: TwoHubs) throws {
      let path = try folder.writeSecret(try house.token("worker", "worker", of: "*"))
      process = try HoldfastProcess(
        [
          "programme", "http://127.0.0.1:\(house.proxy.port)", "--token", "@" + path, "--", "--size",
          "320x180", "--record", folder.path, "--events", folder.file("events"),
        ], environment: ["XDG_STATE_HOME": folder.file("state")])
    }

    deinit {
      if !process.hasEnded { process.signal(SIGKILL) }
    }

    var events: EventLines {
      get throws { try EventLines(String(contentsOfFile: folder.file("events"), encoding: .utf8)) }
    }

    /// What nobody published before this one.
    var pause: Double {
      get throws { try events.lost("video") { $0["cause"] as? String == "worker" }.reduce(0, +) / 1000 }
    }
  }

  private func command(_ fields: JSONValue) throws {
    let answer = try host.command(fields, in: TwoHubs.session)
    guard answer.status == 200 else { throw TestFailure(answer.verdict) }
  }

  private func isOnAir() -> Bool {
    (try? host.send("GET", "/v1/sessions/\(TwoHubs.session)"))?["onAir"]?.field("state") == "live"
  }

  func run(_ checks: inout Claims) throws {
    let isThere = eventually(within: 60) { box.sessionStates.contains("publishing") }
    checks.check(isThere, "a box has joined, and publishes at the session")
    let first = try Worker(house)
    try command(["command": "live", "outputs": .list([.text(house.media.url("typed", "air"))])])
    checks.check(eventually(within: 30) { isOnAir() }, "a worker has put the session on air")

    let second = try Worker(house)
    try killHub(first, &checks)
    try takeOver(from: first, by: second, SIGKILL, &checks)
    let third = try Worker(house)
    try takeOver(from: second, by: third, SIGSTOP, &checks)
    second.process.signal(SIGCONT)
    let isTold = second.process.waitForOutput("another worker has it")
    checks.check(isTold && isOnAir(), "the frozen one, thawed, is told that another has it, and lets go")

    try command(["command": "off-air"])
    checks.check(third.process.waitForOutput("off air"), "off air")
    for worker in [second, third] { worker.process.signal(SIGTERM) }
    for worker in [second, third] { _ = worker.process.result() }
    box.subject.finish()
    try judge([first, second, third], &checks)
  }

  private func killHub(_ worker: Worker, _ checks: inout Claims) throws {
    house.hubs[0].kill()
    // Longer than a job's lease.
    Thread.sleep(forTimeInterval: 6)
    try house.hubs[0].start()
    let gaps = try worker.events.named("gap")
    checks.check(gaps.isEmpty && isOnAir(), "one of two hubs was away for 6 s: nothing is missing", "\(gaps)")
  }

  private func takeOver(from lost: Worker, by other: Worker, _ fault: Int32, _ checks: inout Claims) throws {
    let begun = Date()
    lost.process.signal(fault)
    let isTaken = other.process.waitForOutput("on air, addresses") && eventually(within: 30) { isOnAir() }
    let length = Date().timeIntervalSince(begun)
    checks.check(
      isTaken && length <= 10,
      "a worker was \(fault == SIGKILL ? "killed" : "frozen"): another is on air after \(figure(length)) s")
    // The new one is to have recorded something before the next fault.
    Thread.sleep(forTimeInterval: 4)
  }

  private func judge(_ workers: [Worker], _ checks: inout Claims) throws {
    let types = house.media.publishes().filter { $0.name == "air" && $0.isAccepted }.map(\.type)
    checks.check(
      types == ["record", "append", "append"], "one recording at the server, continued", "\(types)")
    // Slates have no marks.
    let complaints = try workers.compactMap { try $0.folder.complaint(["--marks", "off"]) }
    checks.check(
      complaints.isEmpty, "the recording of each worker is whole", complaints.joined(separator: "\n"))
    let marks = try RecordingMarks(path: house.media.recording("typed", "air"))
    let missing = Double(marks.missingPictures) / 30
    let told = try workers.reduce(0) { try $0 + $1.pause }
    // What was published after the last report: up to a second, and by a frozen worker's process up to four.
    checks.check(
      missing > 0 && (-0.1...5.5).contains(told - missing),
      "the server lacks \(figure(missing)) s, and the gaps of the two that took over are \(figure(told)) s",
      marks.summary)
  }
}
