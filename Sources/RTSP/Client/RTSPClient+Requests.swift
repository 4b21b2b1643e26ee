import HoldfastMediaModel

extension RTSPClient {
  mutating func send(_ request: OutgoingRequest, at now: MonotonicTime) throws(RTSPError) {
    guard outstanding.count < settings.limits.outstandingRequests else {
      throw RTSPError(.tooLarge, "\(outstanding.count) requests are unanswered")
    }
    var request = request
    request.attempts += 1
    request.sentAt = now
    let credentials = authorization?.header(
      method: request.method.rawValue, uri: request.uri, settings.digests)
    request.wasAuthorized = credentials != nil
    var headers = RTSPHeaders()
    headers.add("CSeq", String(outstanding.add(request)))
    headers.add("User-Agent", settings.userAgent)
    if let session { headers.add("Session", session) }
    if let credentials { headers.add("Authorization", credentials) }
    for field in request.headers.fields { headers.add(field.name, field.value) }
    RTSPMessage(
      .request(method: request.method.rawValue, uri: request.uri), headers: headers, body: request.body
    ).write(to: &outgoing)
  }

  mutating func announce(at now: MonotonicTime) throws(RTSPError) {
    var request = OutgoingRequest(purpose: .announce, method: .announce, uri: base)
    request.headers.add("Content-Type", "application/sdp")
    request.body = Array(settings.description.utf8)
    try send(request, at: now)
  }

  mutating func setUpNextTrack(at now: MonotonicTime) throws(RTSPError) {
    let track = paths.count
    guard !isSetUp else {
      if !settings.isTrial { try record(.record, from: .zero, at: now) }
      return
    }
    if case .datagrams(let ports) = transport, !ports.indices.contains(track) {
      throw RTSPError(.unexpected, "no port for track \(track)")
    }
    let uri = SessionDescription.resolve(controls[track], base: base)
    var request = OutgoingRequest(purpose: .setUp(track: track), method: .setUp, uri: uri)
    request.headers.add("Transport", transport.header(track: track))
    try send(request, at: now)
  }

  mutating func record(
    _ purpose: OutgoingRequest.Purpose, from position: MediaTime, at now: MonotonicTime
  ) throws(RTSPError) {
    var request = OutgoingRequest(purpose: purpose, method: .record, uri: base)
    let milliseconds = max(0, position.nanoseconds / 1_000_000)
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    request.headers.add("Range", "npt=\(milliseconds / 1000).\(fraction)-")
    try send(request, at: now)
  }
}
