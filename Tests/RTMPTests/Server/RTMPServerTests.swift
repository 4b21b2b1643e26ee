import HoldfastMediaModel
import Testing

@testable import HoldfastRTMP

@Suite struct RTMPServerTests {
  private static let questions: [@Sendable (inout RTMPServerScript) -> Void] = [
    { $0.message(.userControl, [0, 6, 1, 2, 3, 4]) }, { $0.message(.setPeerBandwidth, [0, 0, 0, 9, 2]) },
    { $0.command("getStreamLength", 9, [.null]) }, { $0.command("whatever", 9, [.null]) },
    { script in
      script.command("publish", 9, [.null, .string("cam")], stream: 1)
      script.command("closeStream", 9, [.null], stream: 1)
    },
  ]

  @Test(arguments: questions.indices)
  func `endless requests from a client that reads no answers are an error`(index: Int) throws {
    var script = try RTMPServerScript.withStream()
    #expect(throws: RTMPError.limitExceeded("answers that nobody reads")) {
      for _ in 0..<20_000 {
        _ = try script.events(after: Self.questions[index])
        script.server.accept()
      }
    }
    #expect(script.server.outgoing.count < 200_000)
  }

  @Test(arguments: questions.indices)
  func `a client that reads its answers may make any number of requests`(index: Int) throws {
    var script = try RTMPServerScript.withStream()
    for _ in 0..<20_000 {
      _ = try script.events(after: Self.questions[index])
      script.server.accept()
      script.server.outgoing.removeFirst(script.server.outgoing.count)
    }
  }

  @Test func `a connect request carries its application and arguments`() throws {
    var script = RTMPServerScript()
    script.shakeHands()
    let events = try script.events { $0.connect() }
    #expect(events == [.connectRequested(.init(application: "live", query: "a=b"))])
  }

  @Test func `an accepted connection is told window sizes, chunk size and success`() throws {
    var script = try RTMPServerScript.connecting()
    let answers = try script.answers { $0.server.accept() }
    #expect(
      answers.map(\.kind) == [
        .windowAcknowledgementSize, .setPeerBandwidth, .setChunkSize, .userControl, .commandAMF0,
      ])
    let result = try AMFReader.values(in: answers[4].payload)
    #expect(result.first == .string("_result") && result[1] == .number(1))
    #expect(result.last?["code"] == .string("NetConnection.Connect.Success"))
    #expect(result.last?["fourCcList"] == nil)
  }

  @Test(arguments: [
    AMFValue.Field("fourCcList", .list([.string("av01")])), AMFValue.Field("capsEx", .number(1)),
  ])
  func `an Enhanced RTMP client gets the list of codecs`(field: AMFValue.Field) throws {
    var script = try RTMPServerScript.connecting([field])
    let result = try #require(try script.commands { $0.server.accept() }.first)
    let codecs = AMFValue.list(["avc1", "hvc1", "av01", "mp4a", "Opus"].map { .string($0) })
    #expect(result[2...3].map { $0["fourCcList"] } == [codecs, codecs])
  }

  @Test func `a refused connection is told the reason`() throws {
    var script = try RTMPServerScript.connecting()
    let error = try #require(try script.commands { $0.server.refuse(.init(.denied, "not today")) }.first)
    #expect(error.first == .string("_error"))
    let words = ["code", "description"].map { error.last?[$0] }
    #expect(words == [.string("NetConnection.Connect.Rejected"), .string("not today")])
  }

  @Test(
    arguments: [
      ("live", .live), ("record", .record), ("append", .append), ("appendWithGap", .append), (nil, .live),
      ("mine", .live),
    ] as [(String?, PublishType)])
  func `a publish request carries its type`(written: String?, type: PublishType) throws {
    var script = try RTMPServerScript.withStream()
    let events = try script.events { $0.publish("cam?key=1", written) }
    #expect(events == [.publishRequested(.init(stream: 1, name: "cam", query: "key=1", type: type))])
  }

  @Test func `an accepted publish gets its status on its own stream`() throws {
    var script = try RTMPServerScript.publishing()
    let status = try #require(try script.answers().last { $0.kind == .commandAMF0 })
    let code = try AMFReader.values(in: status.payload).last?["code"]
    #expect((status.streamID, code) == (1, .string("NetStream.Publish.Start")))
  }

  @Test(
    arguments: [
      (.nameTaken, "Publish.BadName", "Play.Failed"), (.badName, "Publish.Denied", "Play.StreamNotFound"),
      (.unauthorized, "Publish.Unauthorized", "Play.Failed"), (.denied, "Publish.Denied", "Play.Failed"),
      (.notFound, "Publish.Denied", "Play.StreamNotFound"),
    ] as [(RTMPServer.Refusal.Reason, String, String)])
  func `a refusal is sent with a code that clients know`(
    reason: RTMPServer.Refusal.Reason, publishCode: String, playCode: String
  ) throws {
    var scripts = [try RTMPServerScript.askingToPublish(), try .askingToPlay()]
    for (index, code) in [publishCode, playCode].enumerated() {
      let codes = try scripts[index].codes { $0.server.refuse(.init(reason, "no")) }
      #expect(codes == ["NetStream." + code])
    }
  }

  @Test func `media that comes with the publish is delivered only after the answer`() throws {
    var script = try RTMPServerScript.withStream()
    script.publish("cam", "live")
    #expect(try script.events { $0.message(.audio, [0xAF, 1, 9], timestamp: 5, stream: 1) }.count == 1)
    script.server.accept()
    #expect(try script.server.next() == .media(1, .audio, timestamp: 5, payload: [0xAF, 1, 9]))
  }

  @Test func `media after a refusal is not delivered`() throws {
    var script = try RTMPServerScript.askingToPublish { $0.message(.video, [0x17, 1, 9], stream: 1) }
    script.server.refuse(.init(.nameTaken, "no"))
    #expect(try script.server.next() == nil)
  }

  @Test func `a connection may ask again after a refusal`() throws {
    var script = try RTMPServerScript.askingToPublish()
    script.server.refuse(.init(.nameTaken, "no"))
    #expect(try script.events { $0.publish("cam2", "live") }.count == 1)
  }

  @Test func `a player gets reset and start, then unchanged media`() throws {
    var script = try RTMPServerScript.withStream()
    script.command("play", 3, [.null, .string("cam"), .number(-2000)], stream: 1)
    #expect(try script.events() == [.playRequested(.init(stream: 1, name: "cam", query: ""))])
    #expect(try script.codes { $0.server.accept() } == ["NetStream.Play.Reset", "NetStream.Play.Start"])
    let payload = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    script.server.send(.video, payload, timestamp: 77, to: 1)
    #expect(try script.answers() == [RTMPMessage(.video, timestamp: 77, streamID: 1, payload: payload)])
  }

  @Test func `a player that wants no sound gets none`() throws {
    var script = try RTMPServerScript.playing()
    _ = try script.events { $0.command("receiveAudio", 0, [.null, .boolean(false)], stream: 1) }
    script.server.send(.audio, [1], timestamp: 0, to: 1)
    script.server.send(.video, [2], timestamp: 0, to: 1)
    #expect(try script.answers().map(\.kind) == [.video])
  }

  @Test func `the end of a publish is reported once, however it is announced`() throws {
    var script = try RTMPServerScript.publishing()
    script.command("FCUnpublish", 4, [.null, .string("cam")])
    #expect(try script.events { $0.command("deleteStream", 5, [.null, .number(1)]) } == [.unpublished(1)])
  }

  @Test func `metadata is delivered without its @setDataFrame marker`() throws {
    var script = try RTMPServerScript.publishing()
    let inner = AMF0Writer.bytes(of: [.string("onMetaData"), .map([.init("width", .number(64))])])
    let marked = AMF0Writer.bytes(of: [.string("@setDataFrame")]) + inner
    let events = try script.events { $0.message(.dataAMF0, marked, timestamp: 3, stream: 1) }
    #expect(events == [.metadata(1, timestamp: 3, payload: inner)])
  }

  @Test func `a named event is delivered with its values`() throws {
    var script = try RTMPServerScript.publishing()
    let values: [AMFValue] = [.string("goal"), .object([.init("text", .string("1:0"))])]
    let payload = AMF0Writer.bytes(of: values)
    let events = try script.events { $0.message(.dataAMF3, [0] + payload, timestamp: 3, stream: 1) }
    #expect(events == [.data(1, values, timestamp: 3, payload: payload)])
  }

  @Test(arguments: [[2, 0, 9, 1], [], [99], [5], Array("@setDataFrame".utf8)] as [[UInt8]])
  func `unreadable data is ignored`(payload: [UInt8]) throws {
    var script = try RTMPServerScript.publishing()
    #expect(try script.events { $0.message(.dataAMF0, payload, stream: 1) } == [])
  }

  @Test func `an aggregate message is split into its parts`() throws {
    var script = try RTMPServerScript.publishing()
    let parts: [UInt8] = [
      8, 0, 0, 2, 0, 0, 100, 0, 0, 0, 0, 0xAF, 1, 0, 0, 0, 13, 9, 0, 0, 3, 0, 0, 140, 0, 0, 0, 0, 0x27, 1, 9,
      0, 0, 0, 14,
    ]
    script.message(.aggregate, parts, timestamp: 1000, stream: 1)
    #expect(
      try script.events() == [
        .media(1, .audio, timestamp: 1000, payload: [0xAF, 1]),
        .media(1, .video, timestamp: 1040, payload: [0x27, 1, 9]),
      ])
  }

  @Test func `the server acknowledges as often as the client asks`() throws {
    var script = try RTMPServerScript.withStream()
    _ = try script.answers { $0.message(.windowAcknowledgementSize, [0, 0, 4, 0]) }
    script.message(.audio, Array(repeating: 0, count: 1024), stream: 1)
    let acknowledgement = try #require(try script.answers().first { $0.kind == .acknowledgement })
    #expect(UInt64(try acknowledgement.number()) == script.server.counters.received)
  }

  @Test func `the server answers pings and reports pongs`() throws {
    var script = try RTMPServerScript.withStream()
    script.message(.userControl, [0, 6, 1, 2, 3, 4])
    #expect(try script.events { $0.message(.userControl, [0, 7, 0, 0, 0, 9]) } == [.pong(9)])
    #expect(try script.answers().map(\.payload) == [[0, 7, 1, 2, 3, 4]])
  }

  @Test(arguments: ["releaseStream", "FCPublish", "_checkbw", "getStreamLength", "FCUnpublish"])
  func `calls that clients commonly make are answered`(name: String) throws {
    var script = try RTMPServerScript.withStream()
    let answers = try script.commands { $0.command(name, 7, [.null, .string("cam")]) }
    #expect(answers.first?.prefix(2) == [.string("_result"), .number(7)])
  }

  @Test func `an unknown call gets an error`() throws {
    var script = try RTMPServerScript.withStream()
    #expect(try script.codes { $0.command("dance", 7, [.null]) } == ["NetConnection.Call.Failed"])
  }

  @Test func `a player is told that the publisher has gone`() throws {
    var script = try RTMPServerScript.playing()
    #expect(try script.codes { $0.server.endPlay(1) } == ["NetStream.Play.UnpublishNotify"])
    #expect(try script.answers { $0.server.send(.video, [1], timestamp: 0, to: 1) } == [])
  }

  @Test func `the server understands AMF3 commands`() throws {
    var script = try RTMPServerScript.withStream()
    let payload = AMF0Writer.bytes(of: [
      .string("publish"), .number(3), .null, .string("cam"), .string("record"),
    ])
    let events = try script.events { $0.message(.commandAMF3, [0] + payload, stream: 1) }
    #expect(events == [.publishRequested(.init(stream: 1, name: "cam", query: "", type: .record))])
  }
}
