import Foundation
import TestSupport
import Testing

@testable import HoldfastPages

@Suite struct PagesTests {
  private static let folder = URL(fileURLWithPath: Repository.path("Sources/Pages"))

  private func file(at path: String) -> Pages.File? { Pages.box.first { $0.path == path } }
  private func text(_ file: Pages.File) -> String { String(decoding: file.bytes, as: UTF8.self) }

  @Test func `every file of the page is served as it is`() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter {
      $0.hasPrefix("Box/") || $0.hasPrefix("Shared/")
    }
    #expect(paths.count == Pages.box.count)
    for path in paths {
      let name = (path as NSString).lastPathComponent
      let written = try Data(contentsOf: Self.folder.appendingPathComponent(path))
      let served = file(at: name == "box.html" ? "/" : "/\(name)")
      #expect(served?.bytes == Array(written), "\(name)")
    }
  }

  @Test func `every file that the page refers to exists`() {
    for one in Pages.box {
      let named =
        text(one).matches(of: /(?:src|href)="([^"]+)"/).map { String($0.output.1) }
        + text(one).matches(of: /from "\.([^"]+)"/).map { String($0.output.1) }
      for path in named { #expect(file(at: path) != nil, "\(one.path) names \(path)") }
    }
  }

  @Test func `the page has no inline styles or scripts, and loads nothing from elsewhere`() throws {
    let page = text(try #require(file(at: "/")))
    #expect(page.matches(of: /<style|<script(?![^>]*src=)|\sstyle=|\son\w+=/).isEmpty)
    for one in Pages.box where !one.path.hasSuffix(".svg") {
      #expect(text(one).matches(of: /(?:https?:)?\/\/[a-z]+\.(?!w3\.org)/).isEmpty, "\(one.path)")
    }
  }

  @Test func `text from the server never becomes markup`() {
    for one in Pages.box where one.path.hasSuffix(".js") {
      let dangers = text(one).matches(
        of:
          /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\balert\(|\bconfirm\(/
      )
      #expect(dangers.isEmpty, "\(one.path)")
    }
  }

  @Test(arguments: ["", "//", "/box.html", "/page.js/", "/../page.js", "/PAGE.js", "/v1/status"])
  func `the page has no file at any other path`(path: String) {
    #expect(file(at: path) == nil)
  }
}
