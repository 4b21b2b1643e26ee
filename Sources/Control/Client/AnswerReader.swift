/// Reads one HTTP response of the kind that our server sends: a length, no chunks.
struct AnswerReader {
  private var bytes: [UInt8] = []
  private var head: Head?

  private struct Head {
    let status: Int
    let size: Int
    let bodyBegins: Int
  }

  static let headLimit = 16 * 1024
  static let bodyLimit = 1024 * 1024

  /// The answer once all of it is there.
  mutating func receive(_ piece: [UInt8]) throws(ControlClientError) -> ControlAnswer? {
    bytes += piece
    if head == nil { head = try readHead() }
    guard let head, bytes.count - head.bodyBegins >= head.size else { return nil }
    return ControlAnswer(
      status: head.status, body: Array(bytes[head.bodyBegins..<head.bodyBegins + head.size]))
  }

  private func readHead() throws(ControlClientError) -> Head? {
    let end = Array("\r\n\r\n".utf8)
    let searched = bytes.prefix(Self.headLimit)
    guard let place = searched.indices.first(where: { searched[$0...].starts(with: end) }) else {
      guard bytes.count < Self.headLimit else { throw strange("its head has no end") }
      return nil
    }
    let lines = String(decoding: bytes[..<place], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]), status >= 200 else {
      throw strange("its first line is not one of HTTP/1.1")
    }
    guard let size = lines.dropFirst().compactMap(Self.length).first, (0...Self.bodyLimit).contains(size)
    else { throw strange("it has no length, or too much of it") }
    return Head(status: status, size: size, bodyBegins: place + end.count)
  }

  private static func length(_ line: Substring) -> Int? {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
    return Int(parts[1].drop { $0 == " " })
  }

  private func strange(_ what: String) -> ControlClientError {
    ControlClientError(.strangeAnswer, "the answer can't be read: \(what)")
  }
}
