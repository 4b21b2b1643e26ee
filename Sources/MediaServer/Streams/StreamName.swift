/// A stream name that is safe to use as a file name.
struct StreamName: Hashable, Sendable {
  let text: String

  static let maxLength = 100

  /// Nil unless it consists of letters, digits and `. _ -` and does not start with a dot.
  init?(_ text: String) {
    let isAllowed = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isAllowed, !text.isEmpty, text.utf8.count <= Self.maxLength, !text.hasPrefix(".") else {
      return nil
    }
    self.text = text
  }
}
