extension RTSPMessage {
  /// Parses the lines before the body, without the empty line.
  init(head: borrowing Span<UInt8>, limits: RTSPLimits) throws(RTSPError) {
    var lines = LineReader(count: head.count)
    guard let first = try lines.next(head) else { throw RTSPError(.malformed, "an empty message") }
    let start = try Start(line: first)
    var headers = RTSPHeaders()
    while let line = try lines.next(head) {
      guard headers.fields.count < limits.headerCount else {
        throw RTSPError(.tooLarge, "a message has more than \(limits.headerCount) headers")
      }
      if line.first == " " || line.first == "\t" {
        headers.continueLast(line.trimmed)
        continue
      }
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
        throw RTSPError(.malformed, "a header without a name")
      }
      headers.add(line[..<colon].trimmed, line[line.index(after: colon)...].trimmed)
    }
    self.init(start, headers: headers)
  }

  func bodyLength(limits: RTSPLimits) throws(RTSPError) -> Int {
    let lengths = Set(headers.all("Content-Length"))
    guard let text = lengths.first else { return 0 }
    guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty else {
      throw RTSPError(.malformed, "a body without a proper length")
    }
    guard let length = Int(text), length <= limits.bodyBytes else {
      throw RTSPError(.tooLarge, "a body of \(text.prefix(20)) bytes")
    }
    return length
  }
}

extension RTSPMessage.Start {
  /// `RTSP/1.0 200 OK` or `OPTIONS rtsp://host/ RTSP/1.0`.
  init(line: String) throws(RTSPError) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2 else { throw RTSPError(.malformed, "a start line of one word") }
    if words[0].hasPrefix("RTSP/") {
      guard words[0].hasPrefix("RTSP/1."), words[1].utf8.count == 3, let status = Int(words[1]),
        (100...999).contains(status)
      else { throw RTSPError(.malformed, "a status line that is not RTSP 1.0's") }
      self = .response(status: status, reason: words.count > 2 ? String(words[2]) : "")
    } else {
      guard words.count == 3, words[2].hasPrefix("RTSP/1."), !words[0].isEmpty, !words[1].isEmpty else {
        throw RTSPError(.malformed, "the server does not speak RTSP 1.0")
      }
      self = .request(method: String(words[0]), uri: String(words[1]))
    }
  }
}

/// Splits a message's head into lines, which end with CR LF or just LF.
private struct LineReader {
  let count: Int
  var offset = 0

  mutating func next(_ bytes: borrowing Span<UInt8>) throws(RTSPError) -> String? {
    guard offset < count else { return nil }
    var end = offset
    while end < count, bytes[end] != 0x0A { end += 1 }
    let next = end + 1
    if end > offset, bytes[end - 1] == 0x0D { end -= 1 }
    // Other control characters must not reach logs, terminals or requests.
    for index in offset..<end where (bytes[index] < 0x20 && bytes[index] != 0x09) || bytes[index] == 0x7F {
      throw RTSPError(.malformed, "a control character in a message's head")
    }
    defer { offset = next }
    return unsafe bytes.extracting(offset..<end).withUnsafeBufferPointer {
      unsafe String(decoding: $0, as: UTF8.self)
    }
  }
}
