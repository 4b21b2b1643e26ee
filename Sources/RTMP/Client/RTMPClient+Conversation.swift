import HoldfastMediaModel

extension RTMPClient {
  mutating func connect() throws(RTMPError) {
    state = .connecting
    let arguments = settings.authorization.map(\.arguments)
    func authorized(_ text: String) -> String {
      arguments.map { text + (text.contains("?") ? "&" : "?") + $0 } ?? text
    }
    var fields: [AMFValue.Field] = [
      .init("app", .string(authorized(settings.url.application))), .init("type", .string("nonprivate")),
      .init("flashVer", .string("FMLE/3.0 (compatible; Holdfast)")),
      .init("tcUrl", .string(authorized(settings.url.tcURL))), .init("fpad", .boolean(false)),
      // Announces support of reconnect requests.
      .init("capsEx", .number(1)),
    ]
    let fourCCs = settings.codecs.compactMap { $0.fourCC?.description }
    if !fourCCs.isEmpty { fields.append(.init("fourCcList", .list(fourCCs.map { .string($0) }))) }
    try call(.connect, [.object(fields)])
  }

  mutating func handle(_ message: RTMPMessage) throws(RTMPError) -> [Event] {
    switch message.kind {
    case .acknowledgement:
      counters.acknowledge(try message.number())
      return [.acknowledged(totalBytes: counters.acknowledged)]
    case .windowAcknowledgementSize:
      counters.setAcknowledgementWindow(try message.number())
      return []
    case .setPeerBandwidth:
      try writer.answerBandwidth(message, limit: window, in: &outgoing)
      return []
    case .userControl:
      return try writer.answerUserControl(message, in: &outgoing).map { [.pong($0)] } ?? []
    case .commandAMF0, .commandAMF3:
      return try handleCommand(message)
    case .setChunkSize, .abort, .audio, .video, .dataAMF0, .dataAMF3, .aggregate, nil:
      return []
    }
  }

  private mutating func handleCommand(_ message: RTMPMessage) throws(RTMPError) -> [Event] {
    let (name, values) = try message.command(limits: settings.limits)
    switch name {
    case "_result", "_error":
      guard let number = values.dropFirst().first?.number, let transaction = Int(exactly: number),
        let command = outstanding.removeValue(forKey: transaction)
      else { return [] }
      let information = values.last { $0.fields != nil }
      return name == "_result"
        ? try succeed(command, values, information) : fail(command, RTMPStatus(information))
    case "onStatus":
      let information = values.last { $0.fields != nil }
      return handleStatus(RTMPStatus(information), location: information?["tcUrl"]?.text)
    case "close":
      state = .ended
      return [.ended]
    default: return []
    }
  }

  private mutating func succeed(
    _ command: Command, _ values: [AMFValue], _ information: AMFValue?
  ) throws(RTMPError) -> [Event] {
    switch (command, state) {
    case (.connect, .connecting):
      serverFourCCs = values.lazy.compactMap { $0["fourCcList"]?.texts }.first
      serverName = information?["data"]?["srs_server"]?.text
      state = .creatingStream
      writer.setChunkSize(ChunkWriter.defaultChunkSize, in: &outgoing)
      if settings.extent == .publish { try announce() }
      try call(.createStream, [.null])
      return [.connected]
    case (.createStream, .creatingStream):
      guard let number = values.last?.number, let streamID = UInt32(exactly: number) else {
        throw .malformed("a stream without a number")
      }
      if settings.extent == .stream {
        state = .ready(streamID: streamID)
        return [.ready]
      }
      try requestPublish(settings.publishType, streamID: streamID)
      return []
    default: return []
    }
  }

  /// Encoders traditionally send these first; errors from servers that do not know them are ignored.
  mutating func announce() throws(RTMPError) {
    let name = AMFValue.string(settings.url.streamName)
    try call(.releaseStream, [.null, name])
    try call(.fcPublish, [.null, name])
  }

  mutating func requestPublish(_ type: PublishType, streamID: UInt32) throws(RTMPError) {
    state = .requesting(streamID: streamID)
    try call(
      .publish, [.null, .string(settings.url.streamName), .string(type.rawValue)], streamID: streamID)
  }

  private mutating func fail(_ command: Command, _ status: RTMPStatus) -> [Event] {
    switch command {
    case .releaseStream, .fcPublish: return []
    case .createStream, .publish: return refuse(status, .other)
    case .connect:
      let answer = RTMPAuthorization.answer(
        to: status.description, settings.url, random: settings.random, settings.digests)
      switch answer {
      case .reconnect(let authorization):
        state = .ended
        return [.authorizationRequested(authorization)]
      case .wrongCredentials: return refuse(status, .credentials)
      case .notRequested: return refuse(status, .other)
      }
    }
  }

  private mutating func refuse(_ status: RTMPStatus, _ fallback: RTMPRefusal.Reason) -> [Event] {
    var reason = fallback
    if case .refused(let stated) = status.meaning, fallback == .other { reason = stated }
    state = .ended
    return [.refused(RTMPRefusal(reason: reason, status: status))]
  }

  private mutating func handleStatus(_ status: RTMPStatus, location: String?) -> [Event] {
    switch (status.meaning, state) {
    case (.accepted, .requesting(let streamID)):
      state = .publishing(streamID: streamID)
      return [.status(status), .accepted]
    case (.refused(let reason), .connecting), (.refused(let reason), .creatingStream),
      (.refused(let reason), .ready), (.refused(let reason), .requesting),
      (.refused(let reason), .publishing):
      return refuse(status, reason)
    case (.ended, _):
      state = .ended
      return [.status(status), .ended]
    case (.reconnect, _):
      return [.status(status), .reconnectRequested(location: location)]
    case (.accepted, _), (.refused, _), (.informational, _):
      return [.status(status)]
    }
  }
}
