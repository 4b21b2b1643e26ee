import HoldfastMediaModel
import Testing

@testable import HoldfastRTMP

/// Other messages of both sides: pings, acknowledgements, and invalid ones.
@Suite struct ClientControlTests {
  @Test(arguments: Arrival.allCases) func `a ping is answered with its number`(arrival: Arrival) throws {
    var conversation = try Conversation.publishing(arrival)
    #expect(try conversation.hear(.userControl(6, 0x0102_0304)).isEmpty)
    #expect(conversation.server.messages(.userControl).last?.payload == [0, 7, 1, 2, 3, 4])
  }

  @Test(arguments: Arrival.allCases) func `the answer to a ping carries its number`(arrival: Arrival) throws {
    var conversation = try Conversation.publishing(arrival)
    try conversation.run { $0.ping(77) }
    #expect(conversation.server.messages(.userControl).last?.payload == [0, 6, 0, 0, 0, 77])
    #expect(try conversation.hear(.userControl(7, 77)) == [.pong(77)])
  }

  @Test func `user control that is too short or unknown changes nothing`() throws {
    var conversation = try Conversation.publishing()
    for payload: [UInt8] in [[], [0], [0, 6], [0, 6, 1, 2, 3], [0, 0, 0, 0, 0, 1], [9, 9, 9, 9, 9, 9]] {
      #expect(try conversation.hear(RTMPMessage(.userControl, payload: payload)).isEmpty)
    }
    #expect(conversation.server.messages(.userControl).isEmpty)
  }

  private static let questions: [RTMPMessage] = [
    .userControl(6, 1), .control(.setPeerBandwidth, 9, [2]), .control(.windowAcknowledgementSize, 1),
  ]

  @Test(arguments: questions)
  func `endless questions from a server that reads no answers are an error`(question: RTMPMessage) throws {
    var conversation = try Conversation.publishing()
    var server = conversation.server
    #expect(throws: RTMPError.limitExceeded("answers that nobody reads")) {
      for _ in 0..<20_000 {
        server.say(question)
        _ = try conversation.client.take(server.takeOutput(), .whole)
      }
    }
    #expect(conversation.client.outgoing.count < 200_000)
  }

  @Test(arguments: questions)
  func `a server that reads its answers may ask any number of times`(question: RTMPMessage) throws {
    var conversation = try Conversation.publishing()
    for _ in 0..<20_000 { _ = try conversation.hear(question) }
    #expect(conversation.client.outgoing.isEmpty)
  }

  @Test(arguments: Arrival.allCases)
  func `the client acknowledges as often as the server asks`(arrival: Arrival) throws {
    var conversation = try Conversation.publishing(arrival)
    _ = try conversation.hear(.control(.windowAcknowledgementSize, 1000))
    _ = try conversation.hear(RTMPMessage(.video, payload: Array(repeating: 0, count: 5000)))
    let numbers = try conversation.server.messages(.acknowledgement).map { try $0.number() }
    #expect(!numbers.isEmpty && numbers == numbers.sorted())
    #expect(UInt64(numbers.last ?? 0) + 1000 > conversation.client.counters.received)
  }

  @Test func `the client tells the server how often to acknowledge`() throws {
    var conversation = try Conversation.publishing()
    try conversation.run { $0.requestAcknowledgements(every: 65536) }
    #expect(conversation.server.messages(.windowAcknowledgementSize).last?.payload == [0, 1, 0, 0])
  }

  @Test func `acknowledgements are counted past 32 bits`() throws {
    var conversation = try Conversation.publishing()
    let numbers: [UInt32] = [1000, 0x7000_0000, 0xE000_0000, 0x1000_0000, 0x0FFF_FFFF]
    let events = try numbers.flatMap { try conversation.hear(.control(.acknowledgement, $0)) }
    let totals: [UInt64] = [1000, 0x7000_0000, 0xE000_0000, 0x1_1000_0000, 0x1_1000_0000]
    #expect(events == totals.map { .acknowledged(totalBytes: $0) })
  }

  @Test func `a peer bandwidth is answered with a window no larger than it`() throws {
    var conversation = try Conversation.publishing()
    _ = try conversation.hear(.control(.setPeerBandwidth, 2_500_000, [2]))
    conversation.client.requestAcknowledgements(every: 65536)
    _ = try conversation.hear(
      .control(.setPeerBandwidth, 2_500_000, [2]), .control(.setPeerBandwidth, 5000, [2]))
    let windows = try conversation.server.messages(.windowAcknowledgementSize).map { try $0.number() }
    #expect(windows == [2_500_000, 65536, 65536, 5000])
  }

  @Test(arguments: Arrival.allCases)
  func `the server may change its chunk size at any time`(arrival: Arrival) throws {
    var conversation = try Conversation.publishing(arrival)
    for size: UInt32 in [1, 4096, 128] {
      conversation.server.say(.control(.setChunkSize, size))
      let status = RTMPMessage.onStatus("NetStream.Record.Start", "a text that needs several chunks")
      #expect(try conversation.hear(status).count == 1)
    }
  }

  @Test(arguments: Arrival.allCases)
  func `a server that speaks another protocol is an error`(arrival: Arrival) throws {
    var conversation = try Conversation()
    #expect(throws: RTMPError.malformed("the server's handshake begins with 72")) {
      try conversation.client.take(Array("HTTP/1.1 400 Bad Request".utf8), arrival)
    }
  }

  @Test func `a server that sends first is an error`() throws {
    let url = try RTMPURL("rtmp://host/app/key")
    var client = RTMPClient(
      RTMPClient.Settings(url: url, publishType: .live, codecs: [], digests: .real, random: []))
    #expect(throws: RTMPError.malformed("the server speaks first")) { try client.take([3]) }
  }

  @Test(arguments: Arrival.allCases)
  func `invalid bytes after the handshake are an error`(arrival: Arrival) throws {
    var conversation = try Conversation()
    conversation.server.answers = [:]
    try conversation.run()
    #expect(throws: RTMPError.self) {
      try conversation.client.take(Array(repeating: 0xFF, count: 100), arrival)
    }
  }

  @Test func `a message that is too large is an error before it arrives`() throws {
    var limits = RTMPLimits()
    limits.messageSize = 10_000
    var conversation = try Conversation(limits: limits).settled()
    #expect(throws: RTMPError.limitExceeded("a message of 10001 bytes")) {
      try conversation.hear(RTMPMessage(.video, payload: Array(repeating: 0, count: 10_001)))
    }
  }

  @Test(arguments: [
    RTMPMessage(.commandAMF0, payload: []), RTMPMessage(.commandAMF0, payload: [5]),
    RTMPMessage(.commandAMF0, payload: [2, 0]), RTMPMessage(.acknowledgement, payload: [1, 2, 3]),
    RTMPMessage(.setPeerBandwidth, payload: []), RTMPMessage(.windowAcknowledgementSize, payload: [0]),
  ])
  func `an incomplete message is an error`(message: RTMPMessage) throws {
    var conversation = try Conversation.publishing()
    #expect(throws: RTMPError.self) { try conversation.hear(message) }
  }

  @Test(arguments: [.null, .number(-1), .number(1.5), .number(.nan), .number(1e300)] as [AMFValue])
  func `a createStream answer without a valid number is an error`(number: AMFValue) throws {
    let conversation = try Conversation(answers: ["createStream": { [.result($0, .null, number)] }])
    #expect(throws: RTMPError.malformed("a stream without a number")) { try conversation.settled() }
  }
}
