/// A request that is still arriving.
final class HTTPExchange {
  private let method: String
  private let path: String
  private var body: [UInt8] = []
  private(set) var isTooLong = false

  init(method: String, path: String) {
    self.method = method
    self.path = path
  }

  /// What goes beyond `limit` is not kept.
  func append(_ piece: UnsafeRawBufferPointer, limit: Int) {
    isTooLong = isTooLong || piece.count > limit - body.count
    if !isTooLong { body += piece }
  }

  var request: ControlRequest { ControlRequest(method: method, path: path, body: body) }
}
