import Foundation
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// What is encoded, as its viewers over HTTP get it.
@Suite(.busyRealTime, .serialized) struct LiveTests {
  private let folder = ScratchFolder()
  private let watched = ScratchFolder()

  /// Without chunks, as HTTP 1.0 has none.
  private func viewer(
    of broadcast: ControlledBroadcast, _ rendition: String? = nil, token: String? = nil,
    receiveBuffer: Int32? = nil
  ) throws -> WireClient {
    let client = try WireClient(port: broadcast.port, receiveBuffer: receiveBuffer)
    let query = rendition.map { "?rendition=\($0)" } ?? ""
    let head = "GET /v1/live.mp4\(query) HTTP/1.0\r\nHost: 127.0.0.1\r\n"
    client.send(head + "Authorization: Bearer \(token ?? broadcast.host)\r\n\r\n")
    return client
  }

  private func count(_ word: String, in client: WireClient) -> Int {
    Data(client.received).ranges(of: Data(word.utf8)).count
  }

  /// Receives until a word has come so many times to each client; who doesn't read for long is sent away.
  private func wait(for word: String, times: Int = 1, _ clients: WireClient...) throws {
    let deadline = MonotonicTime.now + .seconds(60)
    while let client = clients.filter({ count(word, in: $0) < times }).min(by: {
      $0.received.count < $1.received.count
    }) {
      try #require(
        client.receive(until: deadline), "not \(times) times \(word) in \(client.received.count) bytes")
    }
  }

  /// The whole boxes that a viewer has got, as a file. FFmpeg refuses one that ends within a box's header.
  private func file(of client: WireClient) throws -> String {
    let received = Data(client.received)
    let start = try #require(received.range(of: Data("\r\n\r\n".utf8))).upperBound
    var end = start
    while end + 4 <= received.count {
      let size = received[end..<end + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, end + size <= received.count else { break }
      end += size
    }
    let path = watched.file("live.mp4")
    try received[start..<end].write(to: URL(fileURLWithPath: path))
    return path
  }

  /// What a busy machine has left out of the recording.
  private func gaps(_ broadcast: ControlledBroadcast) -> [[String: Any]] {
    broadcast.subject.lines.gaps(of: "recording").filter { $0["cause"] as? String != "user" }
  }

  /// An interruption leaves out numbers of pictures in one place.
  private func requireWhole(_ broadcast: ControlledBroadcast, interruptions: Int = 0) throws {
    broadcast.subject.finish()
    #expect(broadcast.subject.status == 0, "\(broadcast.subject.log)")
    let marks = try RecordingMarks(path: #require(broadcast.subject.recording))
    let gaps = gaps(broadcast)
    let lost = (gaps.compactMap { lostMs($0, "video") }.reduce(0, +) * 30 / 1000).rounded()
    let isTold =
      marks.missingPictures <= Int(lost) || marks.report.missing.count <= interruptions + gaps.count
    #expect(isTold && marks.report.isFaultless && marks.report.pictures > 0, "\(marks.summary)")
  }

  @Test func `a viewer gets all pictures and sound from a keyframe on, also across an interruption`() throws {
    let broadcast = try ControlledBroadcast(in: folder).whenLive()
    let client = try viewer(of: broadcast)
    try wait(for: "moof", times: 100, client)
    #expect(client.text.contains("Content-Type: video/mp4; codecs=\"avc1."))
    #expect(try broadcast.metric("live_viewers") == 1)
    for (command, event) in [("interrupt", "interrupted"), ("resume", "resumed")] {
      #expect(try broadcast.send("POST", "/v1/\(command)").status == 200 && broadcast.subject.reports(event))
    }
    try wait(for: "moof", times: count("moof", in: client) + 200, client)
    let marks = try RecordingMarks(path: file(of: client))
    // One interruption; apart from it nothing is missing.
    #expect((1...1 + gaps(broadcast).count).contains(marks.report.missing.count), "\(marks.summary)")
    #expect(marks.report.isFaultless && marks.audioSeconds > 3, "\(marks.summary), \(marks.audioSeconds) s")
    #expect(marks.report.offset.map { abs($0.maximum) < 40 && abs($0.minimum) < 40 } != false)
    try requireWhole(broadcast, interruptions: 1)
  }

  @Test func `a slow viewer loses whole groups of pictures and is told, and the recording loses nothing`()
    throws
  {
    let broadcast = try ControlledBroadcast(options: ["--gop", "1s"], in: folder).whenLive()
    let client = try viewer(of: broadcast, receiveBuffer: 4096)
    try wait(for: "moof", times: 10, client)
    #expect(eventually { (try? broadcast.metric("live_lag_seconds")).map { $0 > 1.5 } ?? false })
    try wait(for: "urn:holdfast:live\0skipped\0{\"pictures\":", client)
    try wait(for: "moof", times: count("moof", in: client) + 30, client)
    #expect(try broadcast.metric("live_skips_total") >= 1)
    #expect(try broadcast.metric("live_skipped_pictures_total") >= 1)
    let marks = try RecordingMarks(path: file(of: client))
    #expect(marks.report.isFaultless && !marks.report.missing.isEmpty, "\(marks.summary)")
    try requireWhole(broadcast)
  }

  @Test func `a viewer whose token is revoked is let go with a word`() throws {
    let broadcast = try ControlledBroadcast(in: folder).whenLive()
    let made = try broadcast.send(
      "POST", "/v1/tokens", ["name": "Eve", "role": "participant", "lasts": "2h"])
    let client = try viewer(of: broadcast, token: try #require(made["token"]?.text))
    try wait(for: "moof", times: 10, client)
    let path = "/v1/tokens/\(try #require(made["id"]?.text))"
    #expect(try broadcast.send("DELETE", path).status == 200)
    try wait(for: "urn:holdfast:live\0over\0{\"code\":\"tokenRevoked\"", client)
    #expect(client.responsesUntilEnd() != nil && eventually { (try? broadcast.metric("live_viewers")) == 0 })
  }

  @Test(.long())
  func `of a thousand viewers as many are let in as may be, the others get an answer, and nothing is lost`()
    throws
  {
    try #require(raiseDescriptorLimit(to: 4096) >= 1500, "too few open files are allowed")
    let broadcast = try ControlledBroadcast(in: folder).whenLive()
    let before = try #require(ProcessFigures(of: broadcast.subject.identifier)).memoryKilobytes
    let clients = try (0..<1000).map { _ in try viewer(of: broadcast) }
    var answers: [String: Int] = [:]
    for client in clients {
      try wait(for: "\r\n\r\n", client)
      let status = client.text.prefix { $0 != "\r\n" }
      let isFull = client.text.contains("tooManyViewers")
      answers[status.hasSuffix("200 OK") ? "in" : isFull ? "full" : "\(status)", default: 0] += 1
    }
    #expect(answers == ["in": 100, "full": 900])
    // On a busy machine some have not read for too long by now.
    #expect(try broadcast.metric("live_viewers") <= 100)
    // A sanitizer's memory holds its shadow, too.
    let isSanitized = ProcessInfo.processInfo.environment["REAL_TIME_TESTS"] != nil
    let after = try #require(ProcessFigures(of: broadcast.subject.identifier)).memoryKilobytes
    #expect(after - before < (isSanitized ? 200_000 : 60_000), "\(before) kB became \(after) kB")
    try requireWhole(broadcast)
  }

  /// The options to copy the pictures of a file, which it makes.
  private func copying() throws -> [String] {
    let picture = "-f lavfi -i testsrc2=size=320x180:rate=25 -t 20"
    let source = try Tool.ffmpeg(
      "\(picture) -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p", to: watched.file("source.mp4"))
    return ["--video", "file:\(source)", "--audio", "off", "--encoder", "copy"]
  }

  @Test func `copied pictures can be watched, and without sound`() throws {
    let broadcast = try ControlledBroadcast(options: copying(), in: folder).whenLive()
    let client = try viewer(of: broadcast)
    try wait(for: "moof", times: 50, client)
    #expect(client.text.contains("Content-Type: video/mp4; codecs=\"avc1.") && !client.text.contains("mp4a"))
    let decoded = try Tool.probe(file(of: client), "stream=nb_read_frames", options: ["-count_frames"])
    #expect((decoded.first?.first.flatMap { Int($0) } ?? 0) >= 45, "\(decoded)")
  }

  private static let small = [
    "--size", "640x360", "--gop", "1s", "--renditions", #"{"low": {"size": "160x90", "bitrate": "200k"}}"#,
  ]

  /// `main 1, low 2`: what is encoded, and how many watch it.
  private func encoded(_ broadcast: ControlledBroadcast) throws -> String {
    let renditions = try broadcast.subject.controlStatus()["renditions"] as? [[String: Any]] ?? []
    return renditions.map { "\($0["name"] ?? "") \($0["viewers"] ?? "")" }.joined(separator: ", ")
  }

  @Test
  func
    `a rendition that only viewers want is encoded while they watch, beside the full one, which loses nothing`()
    throws
  {
    let broadcast = try ControlledBroadcast(options: Self.small, in: folder).whenLive()
    #expect(eventually { (try? encoded(broadcast)) == "main 0" })
    do {
      let clients = try ["low", nil, "low"].map { try viewer(of: broadcast, $0) }
      for client in clients { try wait(for: "moof", times: 150, client) }
      #expect(try encoded(broadcast) == "main 1, low 2")
      #expect(try broadcast.metric("live_viewers") == 3)
      #expect(try broadcast.metric("live_rendition_viewers{rendition=\"low\"}") == 2)
      #expect(try broadcast.metric("live_rendition_sent_bytes_total{rendition=\"low\"}") > 10_000)
      #expect(try broadcast.metric("live_rendition_lag_seconds{rendition=\"low\"}") >= 0)
      let sizes = try clients.map { try RecordedPictures(path: file(of: $0)).size.description }
      #expect(sizes == ["160x90", "640x360", "160x90"])
      let streams = try Tool.probe(file(of: clients[0]))
      #expect(streams.map { $0["codec_type"] } == ["video", "audio"])
    }
    #expect(eventually { (try? encoded(broadcast)) == "main 0" })
    // It begins again for the next one.
    try wait(for: "moof", times: 60, viewer(of: broadcast, "low"))
    try requireWhole(broadcast)
  }

  @Test func `viewers share the encode of an output that has the same rendition`() throws {
    let server = try NginxRTMP(in: folder)
    let output = #"{"url": "\#(server.url("typed", "low"))", "rendition": "low"}"#
    let broadcast = try ControlledBroadcast(to: [output], options: Self.small, in: folder).whenLive()
    try wait(for: "moof", times: 60, viewer(of: broadcast, "low"))
    // It goes on without them.
    #expect(broadcast.subject.play(7), "\(broadcast.subject.log)")
    #expect(try encoded(broadcast) == "main 0, low 0")
    try requireWhole(broadcast)
  }

  @Test func `unknown renditions, and any of copied pictures, are refused with a reason`() throws {
    func answer(_ options: [String], _ path: String, in folder: ScratchFolder) throws -> String {
      let broadcast = try ControlledBroadcast(options: options, in: folder).whenLive()
      let answer = try broadcast.send("GET", path)
      broadcast.subject.finish()
      #expect(answer.status == 404)
      return answer.text
    }
    let unknown = try answer(Self.small, "/v1/live.mp4?rendition=tiny", in: folder)
    #expect(unknown.contains("noSuchRendition") && unknown.contains("choose one of low"), "\(unknown)")
    let copied = try answer(copying(), "/v1/live.mp4?rendition=low", in: ScratchFolder())
    #expect(copied.contains("the pictures are copied"), "\(copied)")
  }
}
