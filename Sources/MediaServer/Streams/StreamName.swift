/// The name of a stream, safe to use as a path: `NAME` in the application `live`, else `APPLICATION/NAME`.
struct StreamName: Hashable, Sendable {
  let text: String

  static let maxLength = 100
  private static let usualApplication = "live"

  /// Nil unless the name, and each part of the application, consists of letters, digits and `. _ -` and does not
  /// start with a dot.
  init?(_ name: String, application: String = usualApplication) {
    let folders = application.split(separator: "/").map(String.init)
    guard Self.isSafe(name), folders.allSatisfy(Self.isSafe), application.utf8.count <= Self.maxLength else {
      return nil
    }
    let isUsual = folders.isEmpty || folders == [Self.usualApplication]
    text = isUsual ? name : (folders + [name]).joined(separator: "/")
  }

  private static func isSafe(_ name: String) -> Bool {
    let isAllowed = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isAllowed && !name.isEmpty && name.utf8.count <= maxLength && !name.hasPrefix(".")
  }

  /// The folders of the application; nil if it is the usual one.
  var folder: String? { text.lastIndex(of: "/").map { String(text[..<$0]) } }
}
