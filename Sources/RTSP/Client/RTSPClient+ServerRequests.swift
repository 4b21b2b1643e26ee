internal import HoldfastMediaModel

extension RTSPClient {
  /// The server asks us for something.
  mutating func answer(_ method: String, _ message: RTSPMessage) throws(RTSPError) -> [Event] {
    var headers = RTSPHeaders()
    var status = (200, "OK")
    var events: [Event] = []
    if let number = message.sequence { headers.add("CSeq", String(number)) }
    switch method {
    case "OPTIONS": headers.add("Public", "OPTIONS, GET_PARAMETER, REDIRECT, TEARDOWN")
    case "GET_PARAMETER": break
    case "REDIRECT":
      events = [.redirected(location: message.headers["Location"])]
    case "TEARDOWN":
      events = [.ended]
    default: status = (501, "Not Implemented")
    }
    let before = outgoing.count
    RTSPMessage(.response(status: status.0, reason: status.1), headers: headers).write(to: &outgoing)
    answerBytes += outgoing.count - before
    guard answerBytes <= settings.limits.unsentAnswerBytes else {
      throw RTSPError(.tooLarge, "the server asks faster than it takes answers")
    }
    guard stage != .over else { return [] }
    if !events.isEmpty { stage = .over }
    return events
  }
}
