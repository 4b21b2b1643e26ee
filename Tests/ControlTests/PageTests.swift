import Foundation
import Testing

@testable import Control

@Suite struct PageTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Control/Page")

  private func text(_ file: Page.File) -> String { String(decoding: file.bytes, as: UTF8.self) }

  @Test func `every file of the page is served as it is`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(names.count == Page.files.count)
    for name in names {
      let written = try Data(contentsOf: Self.folder.appendingPathComponent(name))
      let served = Page.file(at: name == "index.html" ? "/" : "/\(name)")
      #expect(served?.bytes == Array(written), "\(name)")
    }
  }

  @Test func `whatever the page names is there`() {
    for file in Page.files {
      let named =
        text(file).matches(of: /(?:src|href)="([^"]+)"/).map { String($0.output.1) }
        + text(file).matches(of: /from "\.([^"]+)"/).map { String($0.output.1) }
      for path in named { #expect(Page.file(at: path) != nil, "\(file.path) names \(path)") }
    }
  }

  @Test func `the page carries neither styles nor scripts of its own, and nothing from elsewhere`() throws {
    let page = text(try #require(Page.file(at: "/")))
    #expect(page.matches(of: /<style|<script(?![^>]*src=)|\sstyle=|\son\w+=/).isEmpty)
    for file in Page.files where !file.path.hasSuffix(".svg") {
      #expect(text(file).matches(of: /(?:https?:)?\/\/[a-z]+\.(?!w3\.org)/).isEmpty, "\(file.path)")
    }
  }

  @Test func `text from the server never becomes markup`() {
    for file in Page.files where file.path.hasSuffix(".js") {
      let dangers = text(file).matches(
        of:
          /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\balert\(|\bconfirm\(/
      )
      #expect(dangers.isEmpty, "\(file.path)")
    }
  }

  @Test(arguments: ["", "//", "/index.html", "/page.js/", "/../page.js", "/PAGE.js", "/v1/status"])
  func `there is nothing else`(path: String) {
    #expect(Page.file(at: path) == nil)
  }
}
