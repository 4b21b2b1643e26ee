import HoldfastMediaModel
import HoldfastSession

/// A script's answer: a word, and what belongs to it.
struct ScriptReply {
  let word: String
  private let parts: [RedisReply]

  init?(_ reply: RedisReply) {
    guard let parts = reply.list, let word = parts.first?.text else { return nil }
    self.word = word
    self.parts = parts
  }

  subscript(index: Int) -> RedisReply { parts.indices.contains(index) ? parts[index] : .nothing }

  func number(_ index: Int) -> UInt64? { self[index].text.flatMap { UInt64($0) } }

  func time(_ index: Int) -> WallTime? { WallTime(microseconds: self[index].text) }

  func texts(_ index: Int) -> [String]? {
    guard let list = self[index].list else { return nil }
    let texts = list.compactMap(\.text)
    return texts.count == list.count ? texts : nil
  }

  /// Pairs of a key and a value.
  func pairs<Key, Value>(
    _ index: Int, key: (String) -> Key?, value: (String) -> Value?
  ) -> [Key: Value]? {
    guard let texts = texts(index), texts.count.isMultiple(of: 2) else { return nil }
    var values: [Key: Value] = [:]
    for start in stride(from: 0, to: texts.count, by: 2) {
      guard let key = key(texts[start]), let value = value(texts[start + 1]) else { return nil }
      values[key] = value
    }
    return values
  }

  func byLease<Value>(_ index: Int, _ value: (String) -> Value?) -> [Session.Lease: Value]? {
    pairs(index, key: { Session.Lease($0) }, value: value)
  }
}
