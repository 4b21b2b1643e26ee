/// A request that is still arriving.
final class HTTPExchange {
  private let target: String
  private var head: RequestHead?
  private var body: [UInt8] = []
  private(set) var isTooLong = false

  /// Made before the headers arrive. `target` is as it was sent.
  init(target: String) { self.target = target }

  var hasBegun: Bool { head != nil }

  func begin(method: String, headers: [RequestHead.Header]) -> RequestHead {
    let head = RequestHead(method: method, target: target, headers: headers)
    self.head = head
    return head
  }

  /// A body beyond `limit` is not kept.
  func append(_ piece: UnsafeRawBufferPointer, limit: Int) {
    isTooLong = isTooLong || piece.count > limit - body.count
    if !isTooLong { body += piece }
  }

  func request(from peer: HTTPRequest.Peer) -> HTTPRequest? { head?.request(from: peer, body: body) }
}
