import HoldfastPlatform
import Testing

/// Texts whose bytes are compared.
@Suite struct ComposedTextTests {
  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  @Test(
    arguments: [
      ("", ""), ("Hall 1", "Hall 1"), ("caf\u{E9}", "caf\u{E9}"), ("cafe\u{301}", "caf\u{E9}"),
      // Hangul: letters to syllables.
      ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{D558}\u{11AB}", "\u{D55C}"),
      // Marks in another order, and two that compose one after the other.
      ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("s\u{307}\u{323}", "\u{1E69}"),
      ("s\u{323}\u{307}", "\u{1E69}"),
      // The sign of the ångström is the letter; what is excluded from composition stays apart.
      ("\u{212B}", "\u{C5}"), ("\u{958}", "\u{915}\u{93C}"),
      // Beyond 16 bits, and what only looks alike.
      ("\u{1D15E}", "\u{1D157}\u{1D165}"), ("\u{FB01}", "\u{FB01}"), ("🎥\u{0}é", "🎥\u{0}\u{E9}"),
    ])
  func `canonically equivalent texts have the same bytes`(text: String, composed: String) {
    #expect(scalars(text.composed) == scalars(composed))
  }

  @Test func `composing again changes nothing, and equal texts stay equal`() {
    for value in (0x80...0x2FFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\u{323}" + String(Character(scalar)) + "\u{301}"
      #expect(text.composed == text)
      #expect(scalars(text.composed.composed) == scalars(text.composed))
    }
  }
}
