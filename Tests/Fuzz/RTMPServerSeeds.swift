import HoldfastRTMP

/// Messages from publishers and players to a server.
enum RTMPServerSeeds {
  /// The requests that lead to a published and a played stream.
  static let requests: [RTMPMessage] = [
    AMFText.command(
      "connect", 1,
      .object([
        ("app", .text("app?a=b")), ("tcUrl", .text("rtmp://host/app")),
        ("fourCcList", .list([.text("hvc1")])),
      ])),
    AMFText.command("createStream", 2, .null),
    AMFText.command("createStream", 3, .null),
    AMFText.command("publish", 4, .null, .text("key?c=d"), .text("append"), stream: 1),
    AMFText.command("play", 5, .null, .text("key"), stream: 2),
  ]

  private static let media: [RTMPMessage] = [
    RTMPMessage(.video, streamID: 1, payload: [0x17, 0, 0, 0, 0, 1, 2, 3]),
    RTMPMessage(.video, streamID: 1, payload: [0x27, 1, 0, 0, 33, 0, 0, 0, 1, 0x65]),
    RTMPMessage(.video, streamID: 1, payload: [0x91, 0x68, 0x76, 0x63, 0x31, 0, 0, 1, 5]),
    RTMPMessage(.audio, streamID: 1, payload: [0xAF, 1, 1, 2, 3]),
    RTMPMessage(.audio, streamID: 1, payload: [0x91, 0x4F, 0x70, 0x75, 0x73, 1]),
    RTMPMessage(
      .dataAMF0, streamID: 1,
      payload: [AMFText.Value.text("@setDataFrame"), .text("onMetaData"), .properties].flatMap(\.bytes)),
    RTMPMessage(
      .dataAMF3, streamID: 1, payload: [0] + AMFText.Value.text("onText").bytes + [17, 6, 3, 0x61]),
    RTMPMessage(
      .aggregate, streamID: 1,
      payload: [9, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0x27, 1, 0, 0, 0, 13, 8, 0, 0, 1, 0, 0, 9, 0, 0, 0, 0, 0xAF]
        + [0, 0, 0, 12]),
  ]

  private static let others: [RTMPMessage] = [
    AMFText.command("releaseStream", 6, .null, .text("key")),
    AMFText.command("FCPublish", 7, .null, .text("key")),
    AMFText.command("FCSubscribe", 8, .null, .text("key")),
    AMFText.command("getStreamLength", 9, .null, .text("key")),
    AMFText.command("pause", 10, .null, .boolean(true), .number(0), stream: 2),
    AMFText.command("receiveVideo", 11, .null, .boolean(false), stream: 2),
    AMFText.command("seek", 12, .null, .number(7), stream: 2),
    AMFText.command("FCUnpublish", 13, .null, .text("key")),
    AMFText.command("closeStream", 14, .null, stream: 2),
    AMFText.command("deleteStream", 15, .null, .number(1)), AMFText.numbered,
  ]

  static var all: [[UInt8]] {
    let begin = FuzzInput.framed | 1
    let controls = RTMPClientSeeds.controls([0, 3, 0, 0, 0, 2, 0, 0, 1, 0])
    var seeds = [
      [0, 0, 3, 0, 0, 0, 0, 0, 0, 0], [0, 0xC1, 3, 0, 0, 0, 0, 1, 2, 3], [0, 0, 3, 3],
      [begin, 0] + FuzzInput.records(requests + media), [begin, 0xC0] + FuzzInput.records(requests + others),
      [begin | 0x10, 0] + FuzzInput.records(requests),
      [begin, 0xC1] + FuzzInput.records(controls + requests),
      [begin + 1, 0xC0] + FuzzInput.records(Array(requests.dropFirst())),
    ]
    seeds += media.map { [begin + 5, 0xC1] + FuzzInput.records([$0]) }
    seeds += others.map { [begin + 5, 0xC0] + FuzzInput.records([$0]) }
    return seeds + FuzzInput.unframed(seeds.dropFirst(3).prefix(6))
  }
}
