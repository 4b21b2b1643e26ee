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

  /// Pairs of a lease and a value.
  func byLease<Value>(_ index: Int, _ read: (String) -> Value?) -> [Session.Lease: Value]? {
    guard let texts = texts(index), texts.count.isMultiple(of: 2) else { return nil }
    var values: [Session.Lease: Value] = [:]
    for start in stride(from: 0, to: texts.count, by: 2) {
      guard let lease = Session.Lease(texts[start]), let value = read(texts[start + 1]) else { return nil }
      values[lease] = value
    }
    return values
  }
}
