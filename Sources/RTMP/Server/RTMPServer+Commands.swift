import HoldfastMediaModel

extension RTMPServer {
  mutating func handleCommand(_ message: RTMPMessage) throws(RTMPError) -> Event? {
    let (name, values) = try message.command(limits: settings.limits)
    let command = Command(
      name: name, transaction: values.dropFirst().first?.number ?? 0, arguments: Array(values.dropFirst(3)),
      object: values.dropFirst(2).first, stream: message.streamID)
    if isConnected { return try handle(command) }
    guard name == "connect" else { throw .malformed("\(name) before connect") }
    return connect(command)
  }

  struct Command {
    let name: String
    let transaction: Double
    let arguments: [AMFValue]
    let object: AMFValue?
    let stream: StreamID

    func text(_ index: Int) -> String? { index < arguments.count ? arguments[index].text : nil }
    func number(_ index: Int) -> Double? { index < arguments.count ? arguments[index].number : nil }

    func flag(_ index: Int) -> Bool? {
      guard index < arguments.count, case .boolean(let flag) = arguments[index] else { return nil }
      return flag
    }
  }

  private mutating func connect(_ command: Command) -> Event {
    let object = command.object
    let (application, query) = Self.split(object?["app"]?.text ?? "")
    let isEnhanced =
      object?["fourCcList"]?.texts?.isEmpty == false || object?["capsEx"] != nil
      || object?["videoFourCcInfoMap"] != nil
    request = .connect(transaction: command.transaction, isEnhanced: isEnhanced)
    return .connectRequested(ConnectRequest(application: application, query: query))
  }

  private mutating func handle(_ command: Command) throws(RTMPError) -> Event? {
    switch command.name {
    case "connect": throw .malformed("connect for a second time")
    case "createStream": try createStream(command)
    case "publish": return try publish(command)
    case "play": return try play(command)
    case "deleteStream" where !settings.answersGoodBye, "FCUnpublish" where !settings.answersGoodBye: break
    case "deleteStream":
      let stream = command.number(0).flatMap { StreamID(exactly: $0) } ?? command.stream
      return stop(stream, isDeleted: true)
    case "closeStream": return stop(command.stream, isDeleted: false)
    case "FCUnpublish":
      answer(command)
      return unpublish(named: Self.split(command.text(0) ?? "").name)
    case "pause", "pauseRaw": return pause(command)
    case "receiveAudio": select(.audio, command)
    case "receiveVideo": select(.video, command)
    case "seek":
      // Live streams cannot seek; players continue anyway.
      if case .playing(let name, _) = streams[command.stream] {
        status("NetStream.Seek.Failed", "\(name) is live", level: "error", of: command.stream)
      }
    case "FCSubscribe":
      answer(command)
      send(
        "onFCSubscribe", [.number(0), .null, Self.information("NetStream.Play.Start", command.text(0) ?? "")])
    case "getStreamLength": answer(command, .number(0))
    case "releaseStream", "FCPublish", "_checkbw", "checkBandwidth", "_result", "_error", "FCUnsubscribe":
      answer(command)
    default: rejectUnknown(command)
    }
    return nil
  }

  private mutating func createStream(_ command: Command) throws(RTMPError) {
    guard streams.count < settings.streams else { throw .limitExceeded("streams of one connection") }
    createdStreams += 1
    streams[createdStreams] = .unused
    answer(command, .number(Double(createdStreams)))
  }

  private mutating func publish(_ command: Command) throws(RTMPError) -> Event {
    guard streams[command.stream] == .unused else {
      throw .malformed("publish on a stream that is not free")
    }
    let (name, query) = Self.split(command.text(0) ?? "")
    let type: PublishType =
      switch command.text(1) {
      case "record": .record
      case "append", "appendWithGap": .append
      // The default for other values.
      default: .live
      }
    request = .publish(command.stream, name: name)
    return .publishRequested(PublishRequest(stream: command.stream, name: name, query: query, type: type))
  }

  private mutating func play(_ command: Command) throws(RTMPError) -> Event {
    guard streams[command.stream] == .unused else { throw .malformed("play on a stream that is not free") }
    let (name, query) = Self.split(command.text(0) ?? "")
    request = .play(command.stream, name: name, resets: command.flag(3) ?? true)
    return .playRequested(PlayRequest(stream: command.stream, name: name, query: query))
  }

  private mutating func unpublish(named name: String) -> Event? {
    let stream = streams.first { $0.value == .publishing(name: name) }?.key
    return stream.flatMap { stop($0, isDeleted: false) }
  }

  private mutating func stop(_ stream: StreamID, isDeleted: Bool) -> Event? {
    guard let use = streams[stream] else { return nil }
    streams[stream] = isDeleted ? nil : .unused
    switch use {
    case .unused: return nil
    case .publishing(let name):
      status("NetStream.Unpublish.Success", "\(name) is over", of: stream)
      return .unpublished(stream)
    case .playing: return .playStopped(stream)
    }
  }

  private mutating func pause(_ command: Command) -> Event? {
    guard case .playing(let name, _) = streams[command.stream], let isPaused = command.flag(0) else {
      return nil
    }
    status(isPaused ? "NetStream.Pause.Notify" : "NetStream.Unpause.Notify", name, of: command.stream)
    return .paused(command.stream, isPaused)
  }

  private mutating func select(_ kind: TrackKind, _ command: Command) {
    guard case .playing(let name, var tracks) = streams[command.stream] else { return }
    if command.flag(0) == false { tracks.remove(kind) } else { tracks.insert(kind) }
    streams[command.stream] = .playing(name: name, tracks: tracks)
  }

  private static func split(_ text: String) -> (name: String, query: String) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
  }
}
