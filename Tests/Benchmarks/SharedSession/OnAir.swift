import Foundation
import HoldfastMediaModel
import TestSupport

/// A session's programme, through all that can happen to its workers and to a hub. It shows one box, whose marks say what
/// the server's recording lacks.
struct OnAir {
  private let house: TwoHubs
  private let box: Box

  init(_ house: TwoHubs) throws {
    self.house = house
    box = try Box("Left", at: house.address, token: try house.token("host", "Left"))
  }

  /// A worker in a process of its own, with what it records.
  private final class Worker {
    let folder = ScratchFolder()
    let process: HoldfastProcess

    init(_ house: TwoHubs) throws {
      let path = try folder.write(try house.token("worker", "worker", of: "*"), to: "token")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      process = try HoldfastProcess(
        [
          "programme", "http://127.0.0.1:\(house.proxy.port)", "--token", "@" + path, "--", "--size",
          "320x180",
          "--record", folder.path, "--events", folder.file("events"),
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
      get throws {
        try events.lost("video") { $0["cause"] as? String == "worker" }.reduce(0, +) / 1000
      }
    }

    /// What `verify` says of its recording; nil if all is well. Its slates have no marks.
    func complaint() throws -> String? {
      let result = try HoldfastProcess.run(
        ["verify", "--marks", "off"] + folder.recordings,
        environment: ["XDG_STATE_HOME": folder.file("state")])
      return result.status == 0 ? nil : "\(result.output)\(result.errors)"
    }
  }

  private func command(_ fields: JSONValue) throws {
    let answer = try house.host.command(fields, in: TwoHubs.session)
    guard answer.status == 200 else { throw TestFailure(answer.verdict) }
  }

  private func isOnAir() -> Bool {
    (try? house.host.send("GET", "/v1/sessions/\(TwoHubs.session)"))?["onAir"]?.field("state") == "live"
  }

  func run(_ findings: inout Findings) throws {
    let isThere = eventually(within: 60) { box.sessionOutput("publishing") > 0 }
    findings.check(isThere, "a box has joined, and publishes at the session")
    let first = try Worker(house)
    try command(["command": "live", "outputs": .list([.text(house.media.url("typed", "air"))])])
    findings.check(eventually(within: 30) { isOnAir() }, "a worker has put the session on air")

    let second = try Worker(house)
    try killHub(first, &findings)
    try takeOver(from: first, by: second, SIGKILL, &findings)
    let third = try Worker(house)
    try takeOver(from: second, by: third, SIGSTOP, &findings)
    second.process.signal(SIGCONT)
    let isTold = second.process.waitForOutput("another worker has it")
    findings.check(isTold && isOnAir(), "the frozen one, thawed, is told that another has it, and lets go")

    try command(["command": "off-air"])
    findings.check(third.process.waitForOutput("off air"), "off air")
    for worker in [second, third] { worker.process.signal(SIGTERM) }
    for worker in [second, third] { _ = worker.process.result() }
    box.subject.finish()
    try judge([first, second, third], &findings)
  }

  private func killHub(_ worker: Worker, _ findings: inout Findings) throws {
    house.hubs[0].kill()
    // Longer than a job's lease.
    Thread.sleep(forTimeInterval: 6)
    try house.hubs[0].start()
    let gaps = try worker.events.named("gap")
    findings.check(
      gaps.isEmpty && isOnAir(), "one of two hubs was away for 6 s: nothing is missing", "\(gaps)")
  }

  private func takeOver(
    from lost: Worker, by other: Worker, _ fault: Int32, _ findings: inout Findings
  ) throws {
    let begun = Date()
    lost.process.signal(fault)
    let isTaken = other.process.waitForOutput("on air, addresses") && eventually(within: 30) { isOnAir() }
    let length = Date().timeIntervalSince(begun)
    findings.check(
      isTaken && length <= 10,
      String(
        format: "a worker was %@: another is on air after %.1f s", fault == SIGKILL ? "killed" : "frozen",
        length)
    )
    // The new one is to have recorded something before the next fault.
    Thread.sleep(forTimeInterval: 4)
  }

  private func judge(_ workers: [Worker], _ findings: inout Findings) throws {
    let types = house.media.publishes().filter { $0.name == "air" && $0.isAccepted }.map(\.type)
    findings.check(
      types == ["record", "append", "append"], "one recording at the server, continued", "\(types)")
    let complaints = try workers.compactMap { try $0.complaint() }
    findings.check(
      complaints.isEmpty, "the recording of each worker is whole", complaints.joined(separator: "\n"))
    let marks = try RecordingMarks(path: house.media.recording("typed", "air"))
    let missing = Double(marks.missingPictures) / 30
    let told = try workers.reduce(0) { try $0 + $1.pause }
    // What was published after the last report: up to a second, and by a frozen worker's process up to four.
    findings.check(
      missing > 0 && (-0.1...5.5).contains(told - missing),
      String(
        format: "the server lacks %.1f s, and the gaps of the two that took over are %.1f s", missing, told),
      marks.summary)
  }
}
