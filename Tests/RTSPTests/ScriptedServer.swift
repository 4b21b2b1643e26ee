import HoldfastMediaModel
import HoldfastRTSP

/// An RTSP server that says what a test wants it to, and else what servers usually say.
struct ScriptedServer {
  struct Answer {
    var status = 200
    var headers: [(String, String)] = []
    /// Without it the answer carries the request's number.
    var leavesOutNumber = false
  }

  /// What it answers instead, the next time that a method is requested.
  var answers: [String: [Answer]] = [:]
  /// All requests, as they came.
  private(set) var requests: [RTSPMessage] = []
  private(set) var packets: [(channel: UInt8, bytes: [UInt8])] = []
  /// The client's answers to the server's requests.
  private(set) var statuses: [Int] = []
  var methods = "OPTIONS, ANNOUNCE, SETUP, RECORD, PAUSE, TEARDOWN, GET_PARAMETER"
  private var reader = RTSPReader()

  private var starts: [(method: String, uri: String)] {
    requests.map { if case .request(let method, let uri) = $0.start { (method, uri) } else { ("?", "?") } }
  }

  var asked: [String] { starts.map(\.method) }
  var addresses: [String] { starts.map(\.uri) }

  mutating func take(_ bytes: [UInt8]) throws -> [UInt8] {
    reader.append(bytes.span)
    var outgoing = OutgoingBytes()
    while let item = try reader.next() {
      switch item {
      case .interleaved(let channel, let bytes): packets.append((channel, bytes))
      case .message(let message):
        switch message.start {
        case .response(let status, _): statuses.append(status)
        case .request(let method, _):
          requests.append(message)
          answer(method, message).write(to: &outgoing)
        }
      }
    }
    return outgoing.takeAll()
  }

  private mutating func answer(_ method: String, _ request: RTSPMessage) -> RTSPMessage {
    var answer = usual(method, request)
    if let special = answers[method]?.first {
      answers[method]?.removeFirst()
      answer = special
    }
    var headers = RTSPHeaders()
    if !answer.leavesOutNumber { headers.add("CSeq", request.headers["CSeq"] ?? "") }
    for (name, value) in answer.headers { headers.add(name, value) }
    return RTSPMessage(.response(status: answer.status, reason: "Whatever"), headers: headers)
  }

  private func usual(_ method: String, _ request: RTSPMessage) -> Answer {
    switch method {
    case "OPTIONS": Answer(headers: [("Public", methods)])
    case "SETUP":
      Answer(headers: [
        ("Session", "4711;timeout=30"),
        ("Transport", (request.headers["Transport"] ?? "") + ";server_port=9000-9001"),
      ])
    default: Answer()
    }
  }
}
