import HoldfastMediaModel
import Testing

@testable import HoldfastRTMP

/// Before the server has accepted, and when it refuses.
@Suite struct ClientRefusalTests {
  private static func tryToSend(_ client: inout RTMPClient) throws {
    try client.start([Sample.track(.h264), Sample.track(.aac)])
    try client.send(Sample.packet(.video, [1, 2, 3]), at: .zero)
    client.sendData(name: "onCue", text: "", at: .zero)
  }

  @Test(arguments: ["connect", "createStream", "publish"])
  func `no media is sent before the publish is accepted`(unanswered: String) throws {
    var conversation = try Conversation()
    conversation.server.answers[unanswered] = nil
    try conversation.run()
    try conversation.run(Self.tryToSend)
    #expect(conversation.server.messages(.audio, .video, .dataAMF0).isEmpty)
  }

  @Test(arguments: Arrival.allCases)
  func `onFCPublish does not count as acceptance, whatever it says`(arrival: Arrival) throws {
    let answer: ScriptedServer.Answer = { _ in
      [.command("onFCPublish", .number(0), .null, .status("NetStream.Publish.Start"))]
    }
    var conversation = try Conversation(arrival, answers: ["FCPublish": answer, "publish": answer]).settled()
    try conversation.run(Self.tryToSend)
    #expect(!conversation.events.contains(.accepted))
    #expect(conversation.server.messages(.audio, .video, .dataAMF0).isEmpty)
  }

  @Test func `an acceptance before the publish request does not count`() throws {
    let start: ScriptedServer.Answer = { _ in [.onStatus("NetStream.Publish.Start")] }
    let conversation = try Conversation(answers: ["createStream": { _ in [] }, "FCPublish": start]).settled()
    #expect(!conversation.events.contains(.accepted))
  }

  @Test(
    arguments: [
      ("NetStream.Publish.BadName", "error", .nameTaken),
      ("NetStream.Publish.Unauthorized", "error", .credentials),
      ("NetStream.Publish.Denied", "error", .credentials),
      ("NetConnection.Connect.Rejected", "error", .credentials),
      ("NetStream.Publish.Rejected", "error", .credentials), ("NetStream.Failed", "error", .other),
      ("NetStream.Publish.BadName", "status", .nameTaken), ("Something.Else", "error", .other),
      ("", "error", .other),
    ] as [(String, String, RTMPRefusal.Reason)], Arrival.allCases)
  func `a refused publish reports its reason and sends no media`(
    refusal: (code: String, level: String, reason: RTMPRefusal.Reason), arrival: Arrival
  ) throws {
    let answer: ScriptedServer.Answer = { _ in [.onStatus(refusal.code, level: refusal.level, "why")] }
    var conversation = try Conversation(arrival, answers: ["publish": answer]).settled()
    let status = RTMPStatus(code: refusal.code, level: refusal.level, description: "why")
    #expect(conversation.events.last == .refused(RTMPRefusal(reason: refusal.reason, status: status)))
    try Self.tryToSend(&conversation.client)
    conversation.client.finish()
    #expect(conversation.client.outgoing.isEmpty)
  }

  @Test(
    arguments: [
      ("connect", "NetConnection.Connect.Rejected", .credentials),
      ("connect", "NetConnection.Connect.InvalidApp", .other),
      ("connect", "", .other), ("createStream", "NetConnection.Call.Failed", .other), ("publish", "", .other),
      ("publish", "NetStream.Publish.BadName", .nameTaken),
    ] as [(String, String, RTMPRefusal.Reason)])
  func `an error is a refusal, even without a code`(command: String, code: String, reason: RTMPRefusal.Reason)
    throws
  {
    let answer: ScriptedServer.Answer = {
      [code.isEmpty ? .command("_error", .number($0)) : .error($0, code)]
    }
    let conversation = try Conversation(answers: [command: answer]).settled()
    #expect(conversation.refusal?.reason == reason)
  }

  @Test func `an answer without a request changes nothing`() throws {
    var conversation = try Conversation.publishing()
    for number: Double in [0, 1, 99, -1, 1.5, .nan, .infinity] {
      #expect(try conversation.hear(.error(number, "NetConnection.Connect.Rejected")).isEmpty)
      #expect(try conversation.hear(.result(number, .null, .number(1))).isEmpty)
    }
  }

  @Test func `a status that is not an error is passed on and changes nothing`() throws {
    var conversation = try Conversation.publishing()
    let status = RTMPStatus(code: "NetStream.Record.Start", level: "status", description: "")
    #expect(try conversation.hear(.onStatus("NetStream.Record.Start")) == [.status(status)])
    try Self.tryToSend(&conversation.client)
    #expect(!conversation.client.outgoing.isEmpty)
  }

  @Test(arguments: [
    RTMPMessage.onStatus("NetStream.Unpublish.Success"), .onStatus("NetConnection.Connect.Closed"),
    .command("close", .number(0), .null),
  ])
  func `a publish that the server ends is reported as ended`(message: RTMPMessage) throws {
    var conversation = try Conversation.publishing()
    #expect(try conversation.hear(message).last == .ended)
    try Self.tryToSend(&conversation.client)
    #expect(conversation.client.outgoing.isEmpty)
  }

  @Test(arguments: [nil, "rtmp://other/app"])
  func `a request to reconnect is passed on`(place: String?) throws {
    var conversation = try Conversation.publishing()
    var fields: [AMFValue.Field] = [.init("code", .string("NetConnection.Connect.ReconnectRequest"))]
    if let place { fields.append(.init("tcUrl", .string(place))) }
    let events = try conversation.hear(.command("onStatus", .number(0), .null, .object(fields)))
    #expect(events.last == .reconnectRequested(location: place))
  }

  @Test func `the client understands a command in AMF3`() throws {
    let command = RTMPMessage.onStatus("NetStream.Publish.Start")
    let answer = RTMPMessage(.commandAMF3, streamID: 7, payload: [0] + command.payload)
    let conversation = try Conversation(answers: ["publish": { _ in [answer] }]).settled()
    #expect(conversation.events.contains(.accepted))
  }
}
