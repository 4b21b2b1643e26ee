import HoldfastMediaModel

extension RTMPServer {
  package mutating func accept() {
    if let request = request.take() { answer { $0.accept(request) } }
  }

  private mutating func accept(_ request: Request) {
    switch request {
    case .connect(let transaction, let isEnhanced):
      isConnected = true
      acceptConnection(transaction, isEnhanced: isEnhanced)
    case .publish(let stream, let name):
      streams[stream] = .publishing(name: name)
      reader.limits = settings.limits
      writer.writeUserControl(0, stream, in: &outgoing)
      status("NetStream.Publish.Start", "\(name) is on air", of: stream)
    case .play(let stream, let name, let resets):
      streams[stream] = .playing(name: name, tracks: Set(TrackKind.allCases))
      writer.writeUserControl(0, stream, in: &outgoing)
      if resets { status("NetStream.Play.Reset", "\(name) begins", of: stream) }
      status("NetStream.Play.Start", "\(name) is played", of: stream)
    }
  }

  /// Refuses the pending request; the connection stays open.
  package mutating func refuse(_ refusal: Refusal) {
    if let request = request.take() { answer { $0.refuse(request, refusal) } }
  }

  private mutating func refuse(_ request: Request, _ refusal: Refusal) {
    switch request {
    case .connect(let transaction, _):
      let information = Self.information(
        "NetConnection.Connect.Rejected", refusal.description, level: "error")
      send("_error", [.number(transaction), .null, information])
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

  private mutating func acceptConnection(_ transaction: Double, isEnhanced: Bool) {
    writer.write(.windowAcknowledgementSize, on: 2, number: settings.window, in: &outgoing)
    var bandwidth = ChunkWriter.Head()
    bandwidth.append(bigEndian: settings.window)
    bandwidth.append(2)
    writer.write(.setPeerBandwidth, on: 2, head: bandwidth, in: &outgoing)
    writer.setChunkSize(ChunkWriter.defaultChunkSize, in: &outgoing)
    writer.writeUserControl(0, 0, in: &outgoing)
    var properties: [AMFValue.Field] = [
      .init("fmsVer", .string("FMS/3,5,7,7009")), .init("capabilities", .number(31)),
      .init("mode", .number(1)),
    ]
    var fields = [AMFValue.Field("objectEncoding", .number(0))] + settings.information
    if isEnhanced {
      // Servers and clients differ in which of the two objects holds the capabilities.
      let capabilities: [AMFValue.Field] = [
        .init("fourCcList", .list(FourCC.known.map { .string($0.fourCC.description) })),
        .init("capsEx", .number(1)),
      ]
      properties += capabilities
      fields += capabilities
    }
    let information = Self.information("NetConnection.Connect.Success", "Connection accepted.", more: fields)
    send("_result", [.number(transaction), .object(properties), information])
  }

  mutating func answer(_ command: Command, _ value: AMFValue = .undefined) {
    guard command.transaction > 0 else { return }
    send("_result", [.number(command.transaction), .null, value])
  }

  mutating func rejectUnknown(_ command: Command) {
    guard command.transaction > 0 else { return }
    let information = Self.information("NetConnection.Call.Failed", "unknown call", level: "error")
    send("_error", [.number(command.transaction), .null, information])
  }

  mutating func status(_ code: String, _ description: String, level: String = "status", of stream: StreamID) {
    send(
      "onStatus", [.number(0), .null, Self.information(code, description, level: level)], streamID: stream)
  }

  static func information(
    _ code: String, _ description: String, level: String = "status", more: [AMFValue.Field] = []
  ) -> AMFValue {
    let fields = [("level", level), ("code", code), ("description", description)]
    return .object(fields.map { .init($0.0, .string($0.1)) } + more)
  }

  mutating func send(_ name: String, _ values: [AMFValue], streamID: StreamID = 0) {
    writer.writeCommand(name, values, streamID: streamID, in: &outgoing)
  }
}
