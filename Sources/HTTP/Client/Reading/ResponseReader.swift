/// Reads one response with a body of limited size, however its bytes arrive.
package struct ResponseReader {
  private var pieces = ResponsePieceReader()
  private var head: ResponseHead?
  private var body: [UInt8] = []

  package init() {}

  package static let bodyLimit = 1024 * 1024

  /// The response, once it is whole.
  package mutating func receive(_ bytes: [UInt8]) throws(HTTPClientError) -> HTTPResponse? {
    pieces.receive(bytes)
    while let piece = try pieces.next() {
      switch piece {
      case .head(let head):
        switch try head.body() {
        case .length(let length) where length > Self.bodyLimit: throw .unreadable("it is too long")
        // A response cut short would look like a whole one.
        case .untilEnd: throw .unreadable("its length is missing")
        case .length, .chunked: self.head = head
        }
      case .body(let bytes):
        guard body.count + bytes.count <= Self.bodyLimit else { throw .unreadable("it is too long") }
        body += bytes
      case .end: return head?.response(body)
      }
    }
    return nil
  }

  /// Whether anything of the response has come.
  package var hasBegun: Bool { pieces.hasBegun }

  /// Whether the server takes another request on the connection.
  package var keepsConnection: Bool { pieces.isOver && !pieces.hasMore && head?.keepsConnection == true }
}
