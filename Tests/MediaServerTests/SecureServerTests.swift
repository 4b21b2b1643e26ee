import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPlatform
@testable import HoldfastPublishing

/// The server over RTMPS.
@Suite(.realTime) struct SecureServerTests {
  private let folder = ScratchFolder()
  private let certificate: TestCertificate

  init() throws { certificate = try TestCertificate(in: folder) }

  private func identity(_ kind: TestCertificate.Kind = .valid) throws -> TLSIdentity {
    let pair = try TestCertificate(in: folder, kind)
    return try TLSIdentity(certificateFile: pair.certificate, keyFile: pair.key)
  }

  private func server(
    admission: MediaAdmission = .everyone, _ configure: (inout MediaServer.Configuration) -> Void = { _ in }
  ) throws -> LocalServer {
    let identity = try identity()
    return try LocalServer(admission: admission) { configuration in
      configuration.identity = identity
      configuration.playerTimeout = .seconds(20)
      configure(&configuration)
    }
  }

  /// Connects with TLS, trusting only the certificate of `kind`.
  private func connect(to server: LocalServer, trusting kind: TestCertificate.Kind) throws -> Connection {
    let settings = TLSSettings(caFile: try TestCertificate(in: folder, kind).certificate)
    return try Connection(
      host: "localhost", port: server.port, tls: settings, until: generousDeadline, stop: Wakeup())
  }

  private func cutOffs(_ server: LocalServer) -> [String] {
    server.events.compactMap { if case .cutOff(_, let reason) = $0 { reason } else { nil } }
  }

  @Test func `an address of a server with a certificate is rtmps, and media pass both ways`() throws {
    let server = try server()
    #expect(server.url("cam") == "rtmps://127.0.0.1:\(server.port)/live/cam")
    let publisher = try TestPublisher.answered(server.url("cam"), .live)
    let player = try TestPlayer.playing(server.url("cam"))
    #expect(try player.pictures(from: publisher) == 50)
    #expect(player.packets(of: .audio) > 90)
  }

  @Test func `large pictures pass whole through many records`() throws {
    let server = try server()
    let publisher = try TestPublisher.answered(server.url("cam"), .live)
    let player = try TestPlayer.playing(server.url("cam"))
    // Together less than what may wait for a player.
    try publisher.send(pictures: 4, of: 3_000_000, like: Fixture.h264AndAAC())
    try publisher.finish()
    try player.readToEnd()
    #expect(player.packets(of: .video) == 4)
  }

  @Test func `publishers and players of several programs meet, each with its key`() throws {
    let rules = TestAdmission()
    let server = try server(admission: rules.admission)
    let players = try (1...3).map {
      try RunningTool.player(server.url("other", key: "play-1"), into: folder.file("\($0).flv"))
    }
    let stranger = try RunningTool.player(server.url("other", key: "wrong"), into: folder.file("none.flv"))
    let ownPlayer = try TestPlayer(server.url("cam", key: "play-1"))

    let sink = try sink(server.url("cam", key: "cam-1"))
    try sink.publish(Fixture.h264AndAAC()) { try ownPlayer.waitUntilPlaying() }
    try ownPlayer.readToEnd()
    #expect(ownPlayer.packets(of: .video) == 50)

    let publisher = try RunningTool.publisher(server.url("other", key: "other-1"), seconds: 2)
    #expect(publisher.result().status == 0)
    for (index, player) in players.enumerated() {
      #expect(player.result().status == 0)
      let streams = try Tool.probe(folder.file("\(index + 1).flv"), count: true)
      #expect(streams.map { $0["codec_name"] } == ["h264", "aac"])
      // On a busy machine a player may join after the second keyframe.
      #expect(["50", "25"].contains(streams.first?["nb_read_packets"]))
    }
    #expect(stranger.result().status != 0)
  }

  /// Our own publisher, which trusts the authority of the server's certificate.
  private func sink(_ url: String) throws -> any ServerSink {
    let address = try OutputAddress(url)
    var settings = Output.Settings(id: "main", address: address)
    settings.tls = TLSSettings(caFile: certificate.authority)
    return address.makeSink(settings)
  }

  @Test func `a publisher that does not trust the certificate is reported with that reason`() throws {
    let server = try server()
    let address = try OutputAddress(server.url("cam"))
    let sink = address.makeSink(Output.Settings(id: "main", address: address))
    let error = #expect(throws: SinkError.self) { try sink.publish(Fixture.h264AndAAC()) }
    #expect(error?.kind == .certificate)
    #expect(server.wait { if case .cutOff = $0 { true } else { false } } != nil)
    #expect(cutOffs(server).first?.hasPrefix("the client does not trust the certificate") == true)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `clients that are not ours verify the certificate, by either version`(version: String) throws {
    let server = try server()
    let answer = try Tool.run([
      "sh", "-c",
      "openssl s_client -connect \"$0\" -CAfile \"$1\" -verify_return_error \(version) -brief 2>&1 </dev/null",
      "127.0.0.1:\(server.port)", certificate.authority,
    ])
    #expect(answer.contains("Verification: OK"))
    #expect(answer.contains(version == "-tls1_2" ? "TLSv1.2" : "TLSv1.3"))
  }

  @Test func `older versions of TLS are refused`() throws {
    let server = try server()
    let result = try Tool.run([
      "sh", "-c",
      "openssl s_client -connect \"$0\" -tls1_1 -cipher ALL:@SECLEVEL=0 2>&1 </dev/null || echo refused",
      "127.0.0.1:\(server.port)",
    ])
    #expect(result.contains("refused"))
    #expect(server.wait { if case .cutOff = $0 { true } else { false } } != nil)
    #expect(cutOffs(server).first?.hasPrefix("the client does not speak TLS 1.2 or newer") == true)
  }

  @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{3}" + String(repeating: "\0", count: 1536)])
  func `a client that does not speak TLS is cut off with that reason`(text: String) throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send(Array(text.utf8))
    #expect(client.isEnded(within: .seconds(20)))
    #expect(server.wait { if case .cutOff = $0 { true } else { false } } != nil)
    #expect(cutOffs(server).first?.hasPrefix("the client does not speak TLS on this port") == true)
  }

  @Test(arguments: ["", "\u{16}\u{3}\u{1}"])
  func `a TLS handshake that is not finished in time is cut off, and holds up nobody`(text: String) throws {
    let server = try server { $0.handshakeTimeout = .seconds(1) }
    let slow = try RawClient(port: server.port)
    slow.send(Array(text.utf8))
    #expect(try TestPublisher.answered(server.url("cam"), .live).isAccepted)
    #expect(slow.isEnded(within: .seconds(20)))
    #expect(cutOffs(server) == ["did not finish the TLS handshake in time"])
  }

  @Test func `new connections get a renewed certificate, and old ones go on`() throws {
    let server = try server()
    let publisher = try TestPublisher.answered(server.url("cam"), .live)
    _ = try connect(to: server, trusting: .valid)
    #expect(throws: ConnectionError.self) { _ = try connect(to: server, trusting: .selfSigned) }
    #expect(try server.running.renew(identity(.selfSigned)))
    #expect(server.wait { $0 == .certificateRenewed } != nil)
    _ = try connect(to: server, trusting: .selfSigned)
    #expect(throws: ConnectionError.self) { _ = try connect(to: server, trusting: .valid) }
    #expect(try !server.running.renew(identity(.selfSigned)))
    #expect(try server.receivesFile(from: publisher))
  }

  @Test func `a server without a certificate takes none later`() throws {
    let server = try LocalServer()
    #expect(try !server.running.renew(identity()))
    #expect(try TestPublisher.answered(server.url("cam"), .live).isAccepted)
  }

  @Test func `half-open handshakes from one address lock nobody out`() throws {
    let server = try server()
    let idle = (0..<100).compactMap { _ in try? RawClient(port: server.port) }
    #expect(try TestPublisher.answered(server.url("cam"), .live).isAccepted)
    withExtendedLifetime(idle) {}
  }

  @Test func `a flood of handshakes is bounded, ends by itself, and costs a publisher nothing`() throws {
    let server = try server { configuration in
      configuration.handshakes = 50
      configuration.handshakeInterval = .milliseconds(200)
      configuration.handshakeTimeout = .seconds(1)
    }
    let publisher = try TestPublisher.answered(server.url("cam"), .live)
    let player = try TestPlayer.playing(server.url("cam"))
    let hello = try helloBytes()
    let isOver = Locked(false)
    let flood = ThreadSlot()
    try flood.start(name: "flood") { [port = server.port] in
      // What is refused is gone before it has sent anything.
      let clients = (0..<300).compactMap { _ in
        let client = try? RawClient(port: port)
        client?.send(hello)
        return client
      }
      for client in clients { _ = client.isEnded(within: .seconds(30)) }
      isOver.withLock { $0 = true }
    }
    defer { flood.join() }
    var sent = 0
    repeat {
      try publisher.send(pictures: 5, of: 20_000, like: Fixture.h264AndAAC())
      sent += 5
      try player.wait(for: sent, of: .video)
    } while !isOver.withLock { $0 }
    try publisher.finish()
    try player.readToEnd()
    #expect((player.packets(of: .video), server.waitForEnd(of: "cam")?.video?.packets) == (sent, sent))
    #expect(
      server.events.contains { if case .refused(_, _, .tooManyHandshakes) = $0 { true } else { false } })
  }

  /// The first flight of a client.
  private func helloBytes() throws -> [UInt8] {
    let context = try TLSContext(TLSSettings(isVerified: false), name: "server")
    var session = try TLSSession(context, host: "localhost", name: "server")
    _ = try session.handshake()
    var bytes: [UInt8] = []
    session.withPending { pending in
      bytes = (0..<pending.count).map { pending[$0] }
      return pending.count
    }
    return bytes
  }
}

extension ServerSink {
  /// Publishes a file from beginning to end.
  fileprivate func publish(_ path: String, afterStart: () throws -> Void = {}) throws {
    let file = try EncodedFile(path)
    try open(PublishRequest(type: .live, tracks: file.tracks), until: generousDeadline, stop: Wakeup())
    try afterStart()
    let wakeup = try Wakeup()
    for packet in file.packets {
      try send(packet)
      repeat { try exchange(until: .now, wakeup: wakeup) } while backlog > 0
    }
    close(until: generousDeadline)
  }
}
