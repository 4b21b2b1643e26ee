import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// Reloading of the configuration file by SIGHUP during a broadcast.
@Suite(.realTime) struct ReloadTests {
  private static let notReloaded = "configuration not reloaded, keeping the old one"

  private let folder = ScratchFolder()
  private let file: String
  private let manager: NotifySocket

  init() throws {
    file = try folder.write("{ size: '640x360', fps: 25, bitrate: '400k' }", to: "hall.json5")
    manager = try NotifySocket()
  }

  private func start(_ options: [String], launcher: [String] = []) throws -> HoldfastProcess {
    let process = try HoldfastProcess(
      ["publish", "--video", "test", "--audio", "tone", "--record", folder.path]
        + (options.contains("--events") ? [] : ["--events", "-"]) + options,
      launcher: launcher, environment: manager.environment)
    #expect(try manager.hears("STATUS=live"))
    return process
  }

  @Test func `a reload applies at once or with the next broadcast, and is reported to systemd`() throws {
    let process = try start(["--config", file, "--fps", "30"])
    _ = try folder.write("{ size: '320x180', fps: 20, bitrate: '300k', name: 'yard' }", to: "hall.json5")
    process.signal(SIGHUP)
    let reloading = try #require(try manager.message(with: "RELOADING=1"))
    #expect(reloading.contains { $0.hasPrefix("MONOTONIC_USEC=") })
    let said =
      "configuration reloaded; in effect now: bitrate; takes effect with the next broadcast: size; takes effect "
      + "after a restart of the program: name"
    #expect(try manager.hears("READY=1") && manager.hears("STATUS=live; " + said))
    #expect(process.waitForOutput(#""event":"bitrate""#))
    process.signal(SIGTSTP)
    #expect(eventually { process.isStopped })
    process.signal(SIGCONT)
    #expect(process.waitForOutput("320x180 at 30"))
    let result = process.end()
    #expect(result.status == 0 && result.errors.contains(said), "\(result.errors)")
    #expect(result.output.contains(#""bps":300000,"why":"as configured""#))
  }

  @Test func `a reload of an invalid file changes nothing`() throws {
    let process = try start(["--config", file])
    _ = try folder.write("{ bitrate: '300k'", to: "hall.json5")
    process.signal(SIGHUP)
    #expect(try manager.hears("RELOADING=1") && manager.hears("READY=1"))
    _ = try folder.write("{ size: '640x360', fps: 25, bitrate: '400k' }", to: "hall.json5")
    process.signal(SIGHUP)
    #expect(process.waitForOutput("configuration reloaded: no changes"))
    let result = process.end()
    #expect(result.errors.contains("\(Self.notReloaded): \(file):1:18: not valid JSON5"))
    #expect(!result.output.contains(#""event":"bitrate""#))
  }

  @Test func `ctl reload reports a broken file by its exit status, and where it is broken`() throws {
    let process = try start(["--config", file])
    let reloaded = try process.ctl(["reload"])
    #expect(reloaded.status == 0 && reloaded.output.contains("configuration reloaded: no changes"))
    _ = try folder.write("{\n  bitrate: '300k'\n  fps: 25\n}", to: "hall.json5")
    let refused = try process.ctl(["reload"])
    #expect(refused.status == 78 && refused.errors.contains("\(Self.notReloaded): \(file):3:3: "))
    #expect(process.end().status == 0)
  }

  @Test func `SIGHUP opens the events file again after a rotation, also with a broken configuration`() throws
  {
    let events = folder.file("events.jsonl")
    let process = try start(["--config", file, "--events", events])
    _ = try folder.write("{", to: "hall.json5")
    try FileManager.default.moveItem(atPath: events, toPath: events + ".1")
    process.signal(SIGUSR1)
    #expect(process.waitForOutput("interrupted (user)"))
    // Events are written by a thread of their own.
    func hasEvent() throws -> Bool {
      try String(contentsOfFile: events + ".1", encoding: .utf8).contains(#""event":"interrupted""#)
    }
    #expect(try eventually(hasEvent))
    process.signal(SIGHUP)
    #expect(process.waitForOutput("configuration not reloaded"))
    process.signal(SIGUSR2)
    #expect(process.waitForOutput("live again"))
    #expect(process.end().status == 0)
    let old = try String(contentsOfFile: events + ".1", encoding: .utf8)
    let new = try EventLines(String(contentsOfFile: events, encoding: .utf8))
    #expect(!old.contains(#""event":"resumed""#))
    #expect(new.named("resumed").count == 1 && new.named("ended").count == 1)
  }

  @Test func `a reload without a file is reported, and the broadcast continues`() throws {
    let process = try start([], launcher: TestTerminal.none)
    process.signal(SIGHUP)
    #expect(process.waitForOutput("SIGHUP: no configuration file to reload (--config)"))
    process.signal(SIGUSR1)
    #expect(process.waitForOutput(#""event":"interrupted""#))
    #expect(process.end().status == 0)
  }

  @Test func `SIGHUP reads a new token secret, which ends the old one's tokens and streams`() throws {
    let broadcast = try ControlledBroadcast(options: ["--config", file], in: folder)
    let reader = try WireClient(port: broadcast.port)
    reader.send(
      "GET /v1/events HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(broadcast.host)\r\n\r\n")
    #expect(reader.receive(until: .now + .seconds(30)))
    try FileManager.default.removeItem(atPath: broadcast.secret.path)
    _ = try SecretFile(in: folder)
    broadcast.subject.signal(SIGHUP)
    #expect(try eventually { try broadcast.send("GET", "/v1/me").status == 401 })
    #expect(try broadcast.send("GET", "/v1/me", token: broadcast.token("Anna", "host")).status == 200)
    #expect(reader.responsesUntilEnd(within: 30) != nil, "the stream of the old secret stays")
    broadcast.subject.finish()
    #expect(broadcast.subject.log.contains("token secret reloaded"))
  }

  @Test func `an unusable new secret is reported, and the old one stays`() throws {
    let broadcast = try ControlledBroadcast(options: ["--config", file], in: folder)
    try Data("short".utf8).write(to: URL(fileURLWithPath: broadcast.secret.path))
    let reloaded = try broadcast.subject.ctl("reload")
    #expect(reloaded.status == 78 && reloaded.errors.contains("holds 5 bytes"), "\(reloaded)")
    #expect(try broadcast.send("GET", "/v1/me").status == 200)
  }

  @Test func `SIGHUP serves a new certificate to new connections`() throws {
    let (old, new) = (try TestCertificate(in: folder), try TestCertificate(in: folder, .selfSigned))
    let broadcast = try ControlledBroadcast(
      options: ["--config", file, "--tls-cert", old.certificate, "--tls-key", old.key], in: folder)
    func status(trusting authority: String) -> String? {
      try? Tool.run([
        "curl", "-sS", "--max-time", "10", "--cacert", authority, "-o", "/dev/null", "-w", "%{http_code}",
        "https://127.0.0.1:\(broadcast.port)/healthz",
      ])
    }
    #expect(status(trusting: old.authority) == "200")
    for (source, target) in [(new.certificate, old.certificate), (new.key, old.key)] {
      try Data(contentsOf: URL(fileURLWithPath: source)).write(to: URL(fileURLWithPath: target))
    }
    broadcast.subject.signal(SIGHUP)
    #expect(eventually { status(trusting: new.certificate) == "200" })
    #expect(status(trusting: old.authority) == nil)
    broadcast.subject.finish()
    #expect(broadcast.subject.log.contains("certificate reloaded"))
  }

  @Test(arguments: [false, true])
  func `a hangup of the terminal ends the broadcast cleanly, with a file or without`(hasFile: Bool) throws {
    let process = try start(hasFile ? ["--config", file] : [], launcher: TestTerminal.new)
    process.signal(SIGUSR1)
    let result = process.result()
    #expect(result.status == 0)
    #expect(result.output.contains(#""reason":"stopped""#) && result.output.contains(#""state":"finished""#))
  }

  @Test func `a reload on a terminal reads the file again`() throws {
    let process = try start(["--config", file], launcher: TestTerminal.new)
    process.signal(SIGHUP)
    #expect(process.waitForOutput("configuration reloaded: no changes"))
    #expect(process.end().status == 0)
  }
}
