import HoldfastRTMP

/// Messages from servers to a publisher.
enum RTMPClientSeeds {
  /// A handshake of either side, without a digest.
  static let handshake: [UInt8] = [3] + Array(repeating: 0, count: 2 * 1536)

  /// The responses that lead to an accepted publish.
  static let answers: [RTMPMessage] = [
    AMFText.command("_result", 1, .properties, .status("NetConnection.Connect.Success")),
    AMFText.command("_result", 4, .null, .number(1)),
    AMFText.command("onStatus", 0, .null, .status("NetStream.Publish.Start"), stream: 1),
  ]

  /// The control messages of either side, with a user control of its own.
  static func controls(_ userControl: [UInt8]) -> [RTMPMessage] {
    [
      RTMPMessage(.windowAcknowledgementSize, payload: [0, 0, 0, 9]),
      RTMPMessage(.setPeerBandwidth, payload: [0, 0, 1, 0, 2]),
      RTMPMessage(.setChunkSize, payload: [0, 0, 0, 64]),
      RTMPMessage(.acknowledgement, payload: [0, 0, 8, 0]),
      RTMPMessage(.userControl, payload: [0, 6, 1, 2, 3, 4]),
      RTMPMessage(.userControl, payload: userControl),
      RTMPMessage(.abort, payload: [0, 0, 0, 3]),
    ]
  }

  static var all: [[UInt8]] {
    let controls = controls([0, 7, 1, 2, 3, 4])
    let refusals = [
      AMFText.command("_error", 1, .null, .status("NetConnection.Connect.Rejected")),
      AMFText.command("_error", 1, .null, .challenge("adobe", "salt=c2FsdA==&challenge=AAAA&opaque=BBBB")),
      AMFText.command("_error", 1, .null, .challenge("llnw", "nonce=abc")),
    ]
    let endings = [
      AMFText.command("onStatus", 0, .null, .status("NetStream.Publish.BadName"), stream: 1),
      AMFText.command("onStatus", 0, .null, .status("NetStream.Unpublish.Success"), stream: 1),
      AMFText.command("onStatus", 0, .null, .status("NetConnection.Connect.ReconnectRequest")),
      AMFText.command("onFCPublish", 0, .null, .status("NetStream.Publish.Start")),
      AMFText.command("close", 0, .null, .null), AMFText.numbered,
    ]
    let begin = FuzzInput.framed | 1
    var seeds = [
      [0, 0, 3, 0, 0, 0, 0, 0, 0, 0], [0, 0xC1, 3, 0, 0, 0, 0, 1, 2, 3], [0, 0, 3, 3],
      [begin, 0] + FuzzInput.records(controls + answers + controls),
      [begin, 0xC0] + FuzzInput.records(answers + endings),
    ]
    seeds.append([begin + 3, 0] + FuzzInput.records(Array(repeating: controls[4], count: 100)))
    seeds += refusals.map { [begin, 0] + FuzzInput.records([$0]) }
    seeds += endings.map { [begin + 2, 0xC1] + FuzzInput.records([$0]) }
    seeds += endings.map { [begin + 3, 0xC0] + FuzzInput.records([$0] + controls) }
    return seeds + FuzzInput.unframed(seeds.dropFirst(3))
  }
}
