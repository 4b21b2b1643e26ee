import Testing

@testable import HoldfastLettering

@Suite struct LetteringTests {
  private func noFont() { Issue.record("there is no font: install fonts-dejavu-core") }

  private func ink(_ picture: TextPicture) -> Int { picture.coverage.reduce(0) { $0 + Int($1) } }

  @Test func `text is as high as asked for, and as wide as it needs`() {
    guard let lettering = Lettering() else { return noFont() }
    let short = lettering.draw("Hall", height: 40, within: 600)
    let long = lettering.draw("Hall, left side", height: 40, within: 600)
    #expect(short.height == 40 && long.width > 2 * short.width && long.width < 600)
    #expect(ink(short) > 10_000 && ink(long) > 2 * ink(short))
  }

  @Test func `text that is too wide is cut with an ellipsis`() {
    guard let lettering = Lettering() else { return noFont() }
    let cut = lettering.draw("A name that is longer than its tile", height: 40, within: 200)
    #expect(cut.width <= 200 && cut.width > 150)
    #expect(cut == lettering.draw("A name th…", height: 40, within: 200))
  }

  @Test(arguments: ["", " ", "Ł", "Ωμέγα", "Привет", "\u{10FFFF}"])
  func `any text can be drawn at any size`(text: String) {
    guard let lettering = Lettering() else { return noFont() }
    for height in [0, 1, 8, 33, 200] {
      for width in [0, 1, 50, 5000] {
        let picture = lettering.draw(text, height: height, within: width)
        #expect(picture.width <= width && picture.coverage.count == picture.width * height)
      }
    }
    #expect((ink(lettering.draw(text, height: 33, within: 500)) > 0) == text.contains { !$0.isWhitespace })
  }

  @Test func `without a font there is no lettering`() {
    let isThere = Lettering(fonts: ["/nonexistent.ttf", "/etc/passwd"]) != nil
    #expect(!isThere)
  }
}
