import HoldfastCHiredis

/// Takes replies out of the bytes of a connection, however these arrive.
struct ReplyReader: ~Copyable {
  enum Problem: Error { case notRedis, tooLarge }

  private let reader: UnsafeMutablePointer<redisReader>
  /// What has been fed since the last reply.
  private var unread = 0

  /// A thousand events, or the beats and statistics of a session, are far below.
  static let maxReply = 64 * 1024 * 1024

  /// Nil without memory.
  init?() {
    guard let reader = redisReaderCreate() else { return nil }
    self.reader = reader
  }

  deinit { redisReaderFree(reader) }

  mutating func feed(_ bytes: [UInt8]) throws(Problem) {
    unread += bytes.count
    guard unread <= Self.maxReply else { throw .tooLarge }
    let status = bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { redisReaderFeed(reader, $0.baseAddress, $0.count) }
    }
    guard status == REDIS_OK else { throw .notRedis }
  }

  /// Nil until a reply is whole.
  mutating func next() throws(Problem) -> RedisReply? {
    var raw: UnsafeMutableRawPointer?
    guard redisReaderGetReply(reader, &raw) == REDIS_OK else { throw .notRedis }
    guard let raw else { return nil }
    defer { freeReplyObject(raw) }
    unread = 0
    return RedisReply(raw.assumingMemoryBound(to: redisReply.self).pointee)
  }

  /// Whether part of a reply has arrived.
  var holdsMore: Bool { reader.pointee.pos < reader.pointee.len || reader.pointee.ridx >= 0 }
}

extension RedisReply {
  fileprivate init(_ reply: redisReply) {
    switch reply.type {
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS:
      self = Self.text(of: reply).map { .text($0) } ?? .garbled
    case REDIS_REPLY_ERROR:
      self = .error(Self.text(of: reply) ?? "an error that is not text")
    case REDIS_REPLY_INTEGER:
      self = .integer(reply.integer)
    case REDIS_REPLY_ARRAY:
      let elements = UnsafeBufferPointer(start: reply.element, count: reply.elements)
      self = .list(elements.map { $0.map { RedisReply($0.pointee) } ?? .nothing })
    default:
      self = .nothing
    }
  }

  private static func text(of reply: redisReply) -> String? {
    let bytes = UnsafeRawBufferPointer(start: reply.str, count: reply.len)
    return String(validating: bytes, as: UTF8.self)
  }
}
