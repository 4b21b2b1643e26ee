internal import HoldfastMediaModel

/// What a client is told.
extension RTMPServer {
  /// Grants what the client has asked for.
  package mutating func accept() {
    guard let question else { return }
    self.question = nil
    switch question {
    case .connect(let transaction, let speaksEnhanced):
      phase = .connected
      acceptConnection(transaction, speaksEnhanced: speaksEnhanced)
    case .publish(let stream, let name):
      streams[stream] = .publishing(name: name)
      userControl(0, stream)
      status("NetStream.Publish.Start", "\(name) is on air", of: stream)
    case .play(let stream, let name, let resets):
      streams[stream] = .playing(name: name, wanted: Set(TrackKind.allCases))
      userControl(0, stream)
      if resets { status("NetStream.Play.Reset", "\(name) begins", of: stream) }
      status("NetStream.Play.Start", "\(name) is played", of: stream)
    }
  }

  /// Refuses what the client has asked for; the connection stays open.
  package mutating func refuse(_ refusal: Refusal) {
    guard let question else { return }
    self.question = nil
    switch question {
    case .connect(let transaction, _):
      send(
        "_error",
        [
          .number(transaction), .null,
          Self.information("NetConnection.Connect.Rejected", refusal.description, level: "error"),
        ])
    case .publish(let stream, _):
      status(Self.publishCode(refusal.reason), refusal.description, level: "error", of: stream)
    case .play(let stream, _, _):
      status(Self.playCode(refusal.reason), refusal.description, level: "error", of: stream)
    }
  }

  private static func publishCode(_ reason: Refusal.Reason) -> String {
    switch reason {
    case .nameTaken: "NetStream.Publish.BadName"
    case .unauthorized: "NetStream.Publish.Unauthorized"
    case .notFound, .badName, .denied: "NetStream.Publish.Denied"
    }
  }

  private static func playCode(_ reason: Refusal.Reason) -> String {
    switch reason {
    case .notFound, .badName: "NetStream.Play.StreamNotFound"
    case .nameTaken, .unauthorized, .denied: "NetStream.Play.Failed"
    }
  }

  private mutating func acceptConnection(_ transaction: Double, speaksEnhanced: Bool) {
    writer.write(.windowAcknowledgementSize, on: 2, number: settings.window, in: &outgoing)
    var bandwidth = ChunkWriter.Head()
    bandwidth.append(bigEndian: settings.window)
    bandwidth.append(2)
    writer.write(.setPeerBandwidth, on: 2, head: bandwidth, in: &outgoing)
    writer.setChunkSize(Self.chunkSize, in: &outgoing)
    userControl(0, 0)
    var properties: [AMFValue.Field] = [
      .init("fmsVer", .string("FMS/3,5,7,7009")), .init("capabilities", .number(31)),
      .init("mode", .number(1)),
    ]
    var fields = [AMFValue.Field("objectEncoding", .number(0))]
    if speaksEnhanced {
      // Servers differ in which of the two objects they put it into, and clients in where they look for it.
      let capabilities: [AMFValue.Field] = [
        .init("fourCcList", .list(FourCC.known.map { .string($0.fourCC.description) })),
        .init("capsEx", .number(1)),
      ]
      properties += capabilities
      fields += capabilities
    }
    send(
      "_result",
      [
        .number(transaction), .object(properties),
        Self.information("NetConnection.Connect.Success", "Connection accepted.", more: fields),
      ])
  }

  /// Answers a command that wants an answer.
  mutating func answer(_ command: Command, _ value: AMFValue = .undefined) {
    guard command.transaction > 0 else { return }
    send("_result", [.number(command.transaction), .null, value])
  }

  mutating func complain(_ command: Command) {
    guard command.transaction > 0 else { return }
    let information = Self.information("NetConnection.Call.Failed", "there is no such call", level: "error")
    send("_error", [.number(command.transaction), .null, information])
  }

  mutating func status(_ code: String, _ description: String, level: String = "status", of stream: StreamID) {
    send(
      "onStatus", [.number(0), .null, Self.information(code, description, level: level)], streamID: stream)
  }

  static func information(
    _ code: String, _ description: String, level: String = "status", more: [AMFValue.Field] = []
  ) -> AMFValue {
    .object(
      [
        .init("level", .string(level)), .init("code", .string(code)),
        .init("description", .string(description)),
      ] + more)
  }

  mutating func send(_ name: String, _ values: [AMFValue], streamID: StreamID = 0) {
    let payload = AMF0Writer.bytes(of: [.string(name)] + values)
    writer.write(.commandAMF0, on: 3, streamID: streamID, payload: payload[...], in: &outgoing)
  }
}
