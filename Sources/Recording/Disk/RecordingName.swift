/// What a file of a broadcaster is called: `NAME-20261121T042210Z.mp4`, and `NAME-20261121T042210Z-2.mp4` for a further
/// part of the same recording.
package struct RecordingName: Hashable, Sendable {
  package let broadcaster: String
  /// When the recording began, as it is written.
  package let stamp: String
  /// From 1.
  package let part: Int

  /// Nil for a file of anybody else. A name may hold dashes: what `cam-2` has recorded isn't what `cam` has.
  package init?(_ file: String, of broadcaster: String) {
    var rest = file.utf8[...]
    guard !broadcaster.isEmpty, rest.take(broadcaster.utf8), rest.take("-".utf8) else { return nil }
    let stamp = rest.prefix(16)
    guard Self.isStamp(stamp) else { return nil }
    rest = rest.dropFirst(16)
    var part = 1
    if rest.take("-".utf8) {
      let digits = rest.prefix { Self.isDigit($0) }
      // The first part has no number.
      guard digits.count <= 9, digits.first != UInt8(ascii: "0"), let number = Int(Substring(digits)),
        number > 1
      else { return nil }
      part = number
      rest = rest.dropFirst(digits.count)
    }
    guard rest.elementsEqual(".mp4".utf8) else { return nil }
    self.broadcaster = broadcaster
    self.stamp = String(Substring(stamp))
    self.part = part
  }

  /// `20261121T042210Z`
  private static func isStamp(_ text: Substring.UTF8View) -> Bool {
    text.count == 16
      && zip(text, "00000000T000000Z".utf8).allSatisfy { byte, form in
        form == UInt8(ascii: "0") ? isDigit(byte) : byte == form
      }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension Substring.UTF8View {
  /// Takes `start` off the front; false, and nothing has changed, where it isn't there.
  fileprivate mutating func take(_ start: String.UTF8View) -> Bool {
    guard self.starts(with: start) else { return false }
    self = dropFirst(start.count)
    return true
  }
}
