/// The status line and the headers of a response.
package struct ResponseHead: Sendable {
  package enum Body: Hashable, Sendable {
    case length(Int)
    case chunked
    /// Until the connection ends, so that a body cut short can't be told from a whole one.
    case untilEnd
  }

  package let status: Int
  /// Names in lower case.
  package private(set) var headers: [(name: String, value: String)] = []
  private let isOld: Bool

  /// For the status line and all headers together.
  static let limit = 16 * 1024

  init(statusLine line: [UInt8]) throws(HTTPClientError) {
    let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[0].count == 8,
      words[0].last?.isDigit == true, words[1].count == 3, words[1].allSatisfy(\.isDigit)
    else { throw .unreadable("the first line is not HTTP") }
    let status = words[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard (100...599).contains(status) else { throw .unreadable("the status \(status) is unknown") }
    self.status = status
    isOld = words[0].last == UInt8(ascii: "0")
  }

  mutating func add(_ line: [UInt8]) throws(HTTPClientError) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy({ (0x21...0x7E).contains($0) }),
      line[colon...].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
    else { throw .unreadable("a header is malformed") }
    let value = line[(colon + 1)...].trimmed
    headers.append(
      (String(decoding: line[..<colon], as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self)))
  }

  /// All values of a header; `name` must be in lower case.
  func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

  subscript(name: String) -> String? { values(name).first }

  /// A second length, or one beside the chunked encoding, is an attempt to hide another response.
  func body() throws(HTTPClientError) -> Body {
    let lengths = Set(values("content-length"))
    let encodings = values("transfer-encoding")
    if status == 204 || status == 304 { return .length(0) }
    guard !encodings.isEmpty else {
      guard let text = lengths.first else { return .untilEnd }
      guard lengths.count == 1, text.utf8.count <= 18, text.utf8.allSatisfy(\.isDigit), let length = Int(text)
      else { throw .unreadable("its length is not a number") }
      return .length(length)
    }
    guard encodings.count == 1, encodings[0].lowercased() == "chunked", lengths.isEmpty, !isOld else {
      throw .unreadable("its encoding is unknown")
    }
    return .chunked
  }

  /// Whether the server takes another request on the connection.
  var keepsConnection: Bool {
    let words = values("connection").flatMap { $0.lowercased().split(separator: ",") }
    return !isOld && !words.contains { Array($0.utf8)[...].trimmed.elementsEqual("close".utf8) }
  }

  var contentType: String { self["content-type"] ?? "" }

  /// Whether the body is text/event-stream.
  var isEventStream: Bool {
    let type = contentType.lowercased().prefix { $0 != ";" }
    return Array(type.utf8)[...].trimmed.elementsEqual("text/event-stream".utf8)
  }

  func response(_ body: [UInt8]) -> HTTPResponse {
    var response = HTTPResponse(status: status, contentType: contentType, body: body)
    response.headers = headers
    return response
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension ArraySlice<UInt8> {
  /// Without spaces and tabs at its ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    var rest = self
    while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return rest
  }
}
