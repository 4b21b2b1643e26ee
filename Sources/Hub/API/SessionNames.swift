import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// The names of sessions as requests and tokens write them, each checked once.
enum SessionNames {
  private static let known = Memo<String, Session.Name>(capacity: 8192)

  static func name(_ text: String) throws(Session.Refusal) -> Session.Name {
    try known.value(text) { (text) throws(Session.Refusal) in try Session.Name(text) }
  }
}
