/// Reads one response in pieces, however its bytes arrive. Interim responses (1xx) are skipped.
struct ResponsePieceReader {
  enum Piece {
    case head(ResponseHead)
    case body([UInt8])
    case end
  }

  private enum State {
    case statusLine(left: Int)
    case headers(ResponseHead, left: Int)
    case body(left: Int)
    case bodyUntilEnd
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailers(left: Int)
    case over
  }

  private var state = State.statusLine(left: ResponseHead.limit)
  private var bytes: [UInt8] = []
  /// Of `bytes`, those before `start` were read, and those before `searched` have no line end.
  private var start = 0
  private var searched = 0
  /// Whether anything of the response has come.
  private(set) var hasBegun = false

  static let maxChunk = 16 * 1024 * 1024
  private static let chunkLineLimit = 256

  mutating func receive(_ piece: [UInt8]) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes += piece
    hasBegun = hasBegun || !piece.isEmpty
  }

  /// Nil until more has come.
  mutating func next() throws(HTTPClientError) -> Piece? {
    while true {
      switch state {
      case .statusLine(let left):
        guard let line = try line(limit: left, of: "the header") else { return nil }
        state = .headers(try ResponseHead(statusLine: line), left: left - line.count)
      case .headers(var head, let left):
        guard let line = try line(limit: left, of: "the header") else { return nil }
        if !line.isEmpty {
          try head.add(line)
          state = .headers(head, left: left - line.count)
        } else if let head = try finish(head) {
          return .head(head)
        }
      case .body(left: 0):
        state = .over
        return .end
      case .body(let left):
        guard let piece = take(left) else { return nil }
        state = .body(left: left - piece.count)
        return .body(piece)
      case .bodyUntilEnd: return take(.max).map(Piece.body)
      case .chunkSize:
        guard let line = try line(limit: Self.chunkLineLimit, of: "the line before a chunk") else {
          return nil
        }
        let size = try Self.chunkSize(line)
        state = size == 0 ? .trailers(left: ResponseHead.limit) : .chunk(left: size)
      case .chunk(let left):
        guard let piece = take(left) else { return nil }
        state = piece.count == left ? .chunkEnd : .chunk(left: left - piece.count)
        return .body(piece)
      case .chunkEnd:
        guard let line = try line(limit: 0, of: "a chunk") else { return nil }
        guard line.isEmpty else { throw .unreadable("a chunk is too long") }
        state = .chunkSize
      case .trailers(let left):
        guard let line = try line(limit: left, of: "the trailer") else { return nil }
        guard line.isEmpty else {
          state = .trailers(left: left - line.count)
          continue
        }
        state = .over
        return .end
      case .over: return nil
      }
    }
  }

  /// Nil for an interim response.
  private mutating func finish(_ head: ResponseHead) throws(HTTPClientError) -> ResponseHead? {
    guard head.status >= 200 else {
      guard head.status != 101 else { throw .unreadable("the server has changed the protocol") }
      state = .statusLine(left: ResponseHead.limit)
      return nil
    }
    state =
      switch try head.body() {
      case .length(let length): .body(left: length)
      case .chunked: .chunkSize
      case .untilEnd: .bodyUntilEnd
      }
    return head
  }

  /// The connection has ended. False if that cuts the response short.
  mutating func endInput() -> Bool {
    switch state {
    case .bodyUntilEnd:
      state = .over
      return true
    case .over: return true
    case .statusLine, .headers, .body, .chunkSize, .chunk, .chunkEnd, .trailers: return false
    }
  }

  var isOver: Bool {
    if case .over = state { true } else { false }
  }

  /// Whether bytes have come that belong to no response.
  var hasMore: Bool { isOver && start < bytes.count }

  /// At most `count` bytes; nil without any.
  private mutating func take(_ count: Int) -> [UInt8]? {
    let piece = Array(bytes[start...].prefix(count))
    start += piece.count
    searched = start
    return piece.isEmpty ? nil : piece
  }

  /// The next line without its end; nil while it is incomplete.
  private mutating func line(limit: Int, of what: String) throws(HTTPClientError) -> [UInt8]? {
    let end = bytes[searched...].firstIndex(of: 0x0A)
    searched = end ?? bytes.count
    guard searched - start <= limit + 1 else { throw .unreadable("\(what) is too long") }
    guard let end else { return nil }
    guard end > start, bytes[end - 1] == 0x0D else { throw .unreadable("a line does not end with CR LF") }
    let line = Array(bytes[start..<end - 1])
    start = end + 1
    searched = start
    return line
  }

  /// Hexadecimal digits, which extensions may follow.
  private static func chunkSize(_ line: [UInt8]) throws(HTTPClientError) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
    guard (1...15).contains(digits.count), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
      digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
    else { throw .unreadable("the size of a chunk is not a number") }
    guard size <= maxChunk else { throw .unreadable("a chunk is too large") }
    return size
  }
}
