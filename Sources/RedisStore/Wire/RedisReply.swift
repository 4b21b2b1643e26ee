/// What a server answers to a command, as RESP2 has it.
enum RedisReply: Hashable, Sendable {
  case text(String)
  /// Bytes that are no UTF-8, which nothing of ours is.
  case garbled
  case integer(Int64)
  case list([RedisReply])
  case nothing
  /// Such as `OOM command not allowed when used memory > 'maxmemory'.`
  case error(String)
}

extension RedisReply {
  var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  var list: [RedisReply]? {
    guard case .list(let list) = self else { return nil }
    return list
  }

  /// The first word of an error, which says what kind it is of.
  var errorCode: Substring? {
    guard case .error(let text) = self else { return nil }
    return text.prefix { $0 != " " }
  }
}
