extension Session {
  /// A stream of a member: the main one, and one for small tiles where the member gives one. The numbers appear in the
  /// frames of tiles, a stable interface.
  package enum Rendition: UInt8, Hashable, Sendable, CaseIterable {
    case main = 0
    case small = 1
  }
}
