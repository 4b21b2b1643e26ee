struct ResponseHead {
  let status: Int
  /// Nil without a valid Content-Length.
  let length: Int?
  let bodyStart: Int

  static let limit = 16 * 1024

  /// Nil while the head is incomplete.
  init?(_ bytes: [UInt8]) throws(HTTPClientError) {
    let end = Array("\r\n\r\n".utf8)
    let searched = bytes.prefix(Self.limit)
    guard let place = searched.indices.first(where: { searched[$0...].starts(with: end) }) else {
      guard bytes.count < Self.limit else { throw .unreadable("the header is too long") }
      return nil
    }
    let lines = String(decoding: bytes[..<place], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), status >= 200 else {
      throw .unreadable("the first line is not HTTP")
    }
    self.status = status
    length = lines.dropFirst().lazy.compactMap(Self.length).first
    bodyStart = place + end.count
  }

  private static func length(_ line: Substring) -> Int? {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
    return Int(parts[1].drop { $0 == " " })
  }
}

/// Reads one HTTP response with a Content-Length, not chunked.
package struct ResponseReader {
  private var bytes: [UInt8] = []
  private var head: ResponseHead?

  package init() {}

  package static let bodyLimit = 1024 * 1024

  package mutating func receive(_ piece: [UInt8]) throws(HTTPClientError) -> HTTPResponse? {
    bytes += piece
    if head == nil { head = try ResponseHead(bytes) }
    guard let head else { return nil }
    guard let length = head.length, (0...Self.bodyLimit).contains(length) else {
      throw .unreadable("the length is missing or too large")
    }
    let body = bytes[head.bodyStart...]
    guard body.count >= length else { return nil }
    return HTTPResponse(status: head.status, contentType: "", body: Array(body.prefix(length)))
  }
}

extension HTTPClientError {
  static func unreadable(_ reason: String) -> HTTPClientError {
    HTTPClientError(.invalidResponse, "the response can't be read: \(reason)")
  }
}
