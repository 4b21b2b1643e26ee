import HoldfastMediaModel
import Testing

@testable import HoldfastRTMP

/// A successful publish from the first byte to the end.
@Suite struct ClientPublishTests {
  @Test(arguments: PublishType.allCases, Arrival.allCases)
  func `the publish type is sent to the server`(type: PublishType, arrival: Arrival) throws {
    let conversation = try Conversation(arrival, publishType: type).settled()
    #expect(conversation.server.command("publish")?.last == .string(type.rawValue))
  }

  @Test(arguments: Arrival.allCases)
  func `commands are sent in the order that servers expect`(arrival: Arrival) throws {
    let conversation = try Conversation(arrival).settled()
    let names = ["connect", "releaseStream", "FCPublish", "createStream", "publish"]
    #expect(conversation.server.commandNames == names)
    #expect(conversation.events.filter { $0 == .connected || $0 == .accepted } == [.connected, .accepted])
  }

  @Test func `application, address and stream are sent as in the URL`() throws {
    let conversation = try Conversation(url: "rtmp://me:word@host:99/app/inst/key?a=b").settled()
    let connect = try #require(conversation.server.command("connect")?.last)
    #expect(connect["app"]?.text == "app/inst" && connect["tcUrl"]?.text == "rtmp://host:99/app/inst")
    for name in ["releaseStream", "FCPublish"] {
      #expect(conversation.server.command(name)?.last?.text == "key?a=b")
    }
    #expect(conversation.server.command("publish")?[3].text == "key?a=b")
  }

  @Test(
    arguments: [
      ([.h264, .aac], nil), ([.hevc, .aac], ["hvc1"]), ([.av1, .opus], ["av01", "Opus"]),
      ([.h264, .opus], ["Opus"]),
    ] as [([Codec], [String]?)])
  func `only codecs beyond H.264 and AAC are named`(codecs: [Codec], expected: [String]?) throws {
    let conversation = try Conversation(codecs: codecs).settled()
    let named = conversation.server.command("connect")?.last?["fourCcList"]
    #expect(named == expected.map { .list($0.map { .string($0) }) })
  }

  @Test(
    arguments: [
      (.object([.init("fourCcList", .list([.string("hvc1"), .number(1)]))]), ["hvc1"]),
      (.map([.init("fourCcList", .map([.init("0", .string("av01"))]))]), ["av01"]), (.object([]), nil),
    ] as [(AMFValue, [String]?)])
  func `the server's list of codecs is kept`(properties: AMFValue, expected: [String]?) throws {
    let success = AMFValue.status("NetConnection.Connect.Success")
    let answer: ScriptedServer.Answer = { [.result($0, properties, success)] }
    #expect(try Conversation(answers: ["connect": answer]).settled().client.serverFourCCs == expected)
  }

  @Test(arguments: Arrival.allCases)
  func `metadata, headers and packets arrive as sent`(arrival: Arrival) throws {
    var conversation = try Conversation.publishing(arrival)
    try conversation.client.send(Sample.packet(.video, shownLater: 40, [9, 8, 7]), at: .milliseconds(20))
    try conversation.client.send(Sample.packet(.audio, [6]), at: .milliseconds(23))
    try conversation.run()
    let media = conversation.server.messages(.video, .audio)
    #expect(media.map(\.timestamp) == [0, 0, 20, 23])
    #expect(
      media.map(\.payload) == [
        [0x17, 0, 0, 0, 0, 1, 100, 0, 31], [0xAF, 0, 0x11, 0x90], [0x17, 1, 0, 0, 40, 9, 8, 7], [0xAF, 1, 6],
      ])
    #expect(media.allSatisfy { $0.streamID == 7 })
  }

  @Test func `metadata describes the tracks`() throws {
    let conversation = try Conversation.publishing(codecs: [.hevc, .aac])
    let message = try #require(conversation.server.messages(.dataAMF0).first)
    let values = try AMFReader.values(in: message.payload)
    #expect(values.prefix(2) == [.string("@setDataFrame"), .string("onMetaData")])
    #expect(values[2]["width"] == .number(640) && values[2]["framerate"] == .number(30))
    #expect(values[2]["videocodecid"] == .number(Double(try #require(Codec.hevc.fourCC).value)))
    #expect(values[2]["audiosamplerate"] == .number(48000) && values[2]["audiocodecid"] == .number(10))
  }

  @Test(arguments: Codec.allCases)
  func `every codec's packets can be read by the server`(codec: Codec) throws {
    var conversation = try Conversation.publishing(codecs: [codec])
    try conversation.run { try $0.send(Sample.packet(codec.kind, [1, 2, 3]), at: .zero) }
    let messages = conversation.server.messages(.video, .audio)
    let tags = messages.map { codec.kind == .video ? FLVTag(video: $0.payload) : FLVTag(audio: $0.payload) }
    guard tags.count == 2, case .headers(codec, _) = tags[0],
      case .packet(codec, isKeyframe: true, composition: 0, at: let place) = tags[1]
    else {
      Issue.record("\(tags)")
      return
    }
    #expect(Array(messages[1].payload[place...]) == [1, 2, 3])
  }

  @Test func `AV1 is sent with its record and without temporal delimiters`() throws {
    var conversation = try Conversation.publishing(codecs: [.av1])
    try conversation.run { try $0.send(Sample.packet(.video, [0x12, 0, 0x32, 1, 5]), at: .zero) }
    let payloads = conversation.server.messages(.video).map(\.payload)
    #expect(Array(payloads[0][5...]) == AV1Configuration.record(headers: Sample.sequenceHeader))
    #expect(Array(payloads[1][5...]) == [0x32, 1, 5])
  }

  @Test(arguments: Arrival.allCases)
  func `a keyframe that takes other headers than the last one has them before it, at its time`(
    arrival: Arrival
  ) throws {
    var conversation = try Conversation.publishing(arrival, codecs: [.h264])
    let own: [UInt8] = [1, 100, 0, 31]
    let other: [UInt8] = [1, 77, 0, 30]
    for (number, headers) in [nil, own, other, other, nil, own].enumerated() {
      let packet = Sample.packet(.video, headers: headers, [UInt8(number)])
      try conversation.client.send(packet, at: .milliseconds(Int64(number) * 40))
    }
    try conversation.run()
    let media = conversation.server.messages(.video)
    #expect(media.map(\.timestamp) == [0, 0, 40, 80, 80, 120, 160, 160, 200])
    let heads = media.map { Array($0.payload.dropFirst($0.payload[1] == 0 ? 5 : 6)) }
    #expect(heads.count == 9 && [heads[0], heads[3], heads[6]] == [own, other, own])
    #expect(media.map { $0.payload[1] } == [0, 1, 1, 0, 1, 1, 0, 1, 1])
  }

  @Test func `AV1's record is sent again where a keyframe has another sequence header`() throws {
    var conversation = try Conversation.publishing(codecs: [.av1])
    var other = Sample.sequenceHeader
    other[other.count - 1] ^= 1
    try conversation.client.send(Sample.packet(.video, headers: Sample.sequenceHeader, [1]), at: .zero)
    try conversation.client.send(Sample.packet(.video, headers: other, [2]), at: .milliseconds(40))
    try conversation.run()
    let payloads = conversation.server.messages(.video).map(\.payload)
    #expect(payloads.count == 4 && Array(payloads[2][5...]) == AV1Configuration.record(headers: other))
  }

  @Test(arguments: Arrival.allCases)
  func `an event with a text arrives with its time`(arrival: Arrival) throws {
    var conversation = try Conversation.publishing(arrival)
    try conversation.run { $0.sendData(name: "onCue", text: "now ü", at: .seconds(3)) }
    let message = try #require(conversation.server.messages(.dataAMF0).last)
    let values = try AMFReader.values(in: message.payload)
    #expect(message.timestamp == 3000)
    #expect(values == [.string("onCue"), .object([.init("text", .string("now ü"))])])
  }

  @Test(arguments: Arrival.allCases)
  func `a publish ends with FCUnpublish, then deleteStream`(arrival: Arrival) throws {
    var conversation = try Conversation.publishing(arrival)
    conversation.client.finish()
    conversation.client.finish()
    try conversation.run()
    #expect(conversation.server.commandNames.filter { $0 == "deleteStream" }.count == 1)
    #expect(
      conversation.server.commands.suffix(2) == [
        [.string("FCUnpublish"), .number(0), .null, .string("key")],
        [.string("deleteStream"), .number(0), .null, .number(7)],
      ])
  }

  @Test func `nothing is sent after the end of a publish`() throws {
    var conversation = try Conversation.publishing()
    try conversation.run { $0.finish() }
    try conversation.client.send(Sample.packet(.video, [1]), at: .zero)
    conversation.client.sendData(name: "onCue", text: "", at: .zero)
    #expect(conversation.client.outgoing.isEmpty)
  }

  @Test(
    arguments: [
      0x40_0000 - 1, 0xFF_FFFF - 20, 0x100_0000, 0x7FFF_FFF0, 0xFFFF_FFF0, 0x1_0000_0000, 0x2_0000_0003,
    ] as [Int64])
  func `timestamps of an old stream continue past 24 and 32 bits`(milliseconds: Int64) throws {
    var conversation = try Conversation.publishing(.smallPieces)
    // As it would come about: no step is longer than a day.
    let steps =
      Array(stride(from: 0, to: milliseconds, by: 86_400_000)) + (0..<5).map { milliseconds + 20 * $0 }
    let payload = Array(repeating: UInt8(5), count: 70_000)
    for time in steps { try conversation.client.send(Sample.packet(.audio, [1]), at: .milliseconds(time)) }
    try conversation.client.send(Sample.packet(.video, payload), at: .milliseconds(milliseconds + 100))
    try conversation.client.send(Sample.packet(.video, payload), at: .milliseconds(milliseconds + 140))
    try conversation.run()
    let expected = steps.map { UInt32(truncatingIfNeeded: $0) }
    #expect(conversation.server.messages(.audio).dropFirst().map(\.timestamp) == expected)
    let videos = conversation.server.messages(.video).dropFirst()
    #expect(videos.map(\.timestamp) == [100, 140].map { UInt32(truncatingIfNeeded: milliseconds + $0) })
    #expect(videos.allSatisfy { $0.payload.count == 70_005 })
  }

  @Test func `a packet too large for any message is refused, and none of it is sent`() throws {
    var conversation = try Conversation.publishing()
    let huge = Sample.packet(.video, Array(repeating: 0, count: 0xFF_FFFF))
    #expect(throws: RTMPError.limitExceeded("a packet of 16777215 bytes")) {
      try conversation.client.send(huge, at: .zero)
    }
    #expect(conversation.client.outgoing.isEmpty)
  }

  @Test func `a track that was not announced can't be sent`() throws {
    var conversation = try Conversation.publishing(codecs: [.h264])
    #expect(throws: RTMPError.unsupported("a track that was not announced")) {
      try conversation.client.send(Sample.packet(.audio, [1]), at: .zero)
    }
  }

  @Test func `sent bytes and bytes still to be sent are counted`() throws {
    var conversation = try Conversation.publishing()
    let before = conversation.client.bytesSent
    try conversation.client.send(Sample.packet(.audio, [1]), at: .zero)
    let waiting = UInt64(conversation.client.outgoing.count)
    #expect(conversation.client.bytesSent == before + waiting)
    try conversation.run()
    #expect(conversation.client.bytesSent == before + waiting)
  }

  @Test func `a client that is to wait names the stream only with its publish`() throws {
    var conversation = try Conversation(extent: .stream).settled()
    #expect(conversation.events == [.connected, .ready])
    #expect(conversation.server.commandNames == ["connect", "createStream"])
    try conversation.run { try $0.publish(.record) }
    #expect(conversation.events.last == .accepted)
    #expect(conversation.server.commandNames.dropFirst(2) == ["releaseStream", "FCPublish", "publish"])
  }
}
