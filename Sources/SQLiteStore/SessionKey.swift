import HoldfastPlatform
import HoldfastSession

/// What sessions of one name have in common: the folded and composed bytes, as the file has them.
struct SessionKey: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ name: Session.Name) { self.init(stored: name.folded.composed) }

  init(stored text: String) { bytes = Array(text.utf8) }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
