import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// How fast a host's commands are answered, over TLS, while strangers hold thousands of connections open and demand TLS
/// handshakes, and participants read slowly.
struct AttackedRun {
  static let limit = 1.0

  private let seconds: Int
  private let certificate: String
  private let broadcast: ControlledBroadcast

  /// With an RSA key, the most expensive kind of handshake.
  private init(seconds: Int, in folder: ScratchFolder) throws {
    self.seconds = seconds
    certificate = folder.file("rsa.pem")
    let key = folder.file("rsa.key")
    try Tool.run([
      "sh", "-c",
      "openssl req -x509 -newkey rsa:2048 -nodes -keyout \(key) -out \(certificate) -subj /CN=host "
        + "-addext subjectAltName=IP:127.0.0.1 2>&1",
    ])
    broadcast = try ControlledBroadcast(
      options: [
        "--size", "640x360", "--bitrate", "1M", "--duration", "\(seconds * 2 + 180)s", "--tls-cert",
        certificate, "--tls-key", key,
      ], in: folder
    ).whenLive()
  }

  static func run(_ arguments: Arguments) throws -> Bool {
    let seconds = try arguments.number(0, default: 30)
    try needDescriptors(HalfOpenFlood.connections + SlowParticipants.count + 512)
    return try AttackedRun(seconds: max(5, seconds), in: ScratchFolder()).run()
  }

  private func run() throws -> Bool {
    let commands = HostCommands(port: broadcast.port, token: broadcast.host, certificate: certificate)
    print(
      "640x360 at 30, 1 Mb/s, test picture and tone, to a recording; the API over TLS 1.3 with an RSA key; "
        + "\(HalfOpenFlood.connections) half-open connections from \(HalfOpenFlood.addresses.count) addresses, "
        + "\(SlowParticipants.count) slow readers of events, \(HelloFlood.perSecond) TLS hellos a second from "
        + "\(HelloFlood.addresses.count) addresses; \(HostCommands.count) commands of the host in \(seconds) s\n"
    )
    let process = broadcast.subject.identifier
    let (quiet, alone) = Phase.measured(process) { commands.run(seconds: seconds) }
    let participants = try SlowParticipants(
      port: broadcast.port, token: try broadcast.token("Bo", "participant"))
    let halfOpen = HalfOpenFlood(port: broadcast.port)
    let hellos = try HelloFlood(port: broadcast.port)
    halfOpen.waitUntilOpen()
    let (attacked, loaded) = Phase.measured(process) { commands.run(seconds: seconds) }
    let reports = [halfOpen.finish(), hellos.finish(), participants.finish()]
    broadcast.subject.finish()

    for report in reports { print(report) }
    print("commands, quiet:        \(quiet)")
    print("commands, under attack: \(attacked)")
    Phase.print([("quiet", alone), ("under attack", loaded)])
    let media = try broadcast.subject.recording.map { try ServerMedia(path: $0) }
    print("recording: \(media?.report.pictures ?? 0) pictures, \(media?.missingPictures ?? -1) missing")
    var claims = Claims()
    claims.check(attacked.isServed, "99 of 100 commands were answered within a second")
    claims.check(media?.missingPictures == 0, "no picture is missing in the recording")
    claims.check(broadcast.subject.status == 0, "it ended as asked")
    return claims.hold
  }
}
