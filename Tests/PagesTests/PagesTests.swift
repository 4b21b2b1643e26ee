import Foundation
import TestSupport
import Testing

@testable import HoldfastPages

@Suite struct PagesTests {
  /// A page with its folder, where its HTML is served, and where its other files are.
  struct Page: Sendable, CustomTestStringConvertible {
    let files: [Pages.File]
    let folder: String
    let html: String
    let address: String
    let prefix: String

    var testDescription: String { folder }

    func file(at path: String) -> Pages.File? { files.first { $0.path == path } }
  }

  private static let folder = URL(fileURLWithPath: Repository.path("Sources/Pages"))
  private static let pages = [
    Page(files: Pages.box, folder: "Box", html: "box.html", address: "/", prefix: "/"),
    Page(files: Pages.session, folder: "Session", html: "session.html", address: "", prefix: "/page/"),
  ]

  private func text(_ file: Pages.File) -> String { String(decoding: file.bytes, as: UTF8.self) }

  @Test(arguments: pages)
  func `every file of a page is served as it is`(page: Page) throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter {
      $0.hasPrefix("\(page.folder)/") || $0.hasPrefix("Shared/")
    }
    #expect(paths.count == page.files.count)
    for path in paths {
      let name = (path as NSString).lastPathComponent
      let written = try Data(contentsOf: Self.folder.appendingPathComponent(path))
      let served = page.file(at: name == page.html ? page.address : page.prefix + name)
      #expect(served?.bytes == Array(written), "\(name)")
    }
  }

  @Test func `no two files of all pages have one name`() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
    let names = paths.filter { $0.contains("/") }.map { ($0 as NSString).lastPathComponent }
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: pages)
  func `every file that a page refers to exists`(page: Page) {
    for one in page.files {
      let named = text(one).matches(of: /(?:src|href)="([^"]+)"/).map { String($0.output.1) }
      let imported = text(one).matches(of: /from "\.\/([^"]+)"/).map { page.prefix + $0.output.1 }
      for path in named + imported { #expect(page.file(at: path) != nil, "\(one.path) names \(path)") }
    }
  }

  @Test(arguments: pages)
  func `a page has no inline styles or scripts, and loads nothing from elsewhere`(page: Page) throws {
    let html = text(try #require(page.file(at: page.address)))
    #expect(html.matches(of: /<style|<script(?![^>]*src=)|\sstyle=|\son\w+=/).isEmpty)
    for one in page.files where !one.path.hasSuffix(".svg") {
      #expect(text(one).matches(of: /(?:https?:)?\/\/[a-z]+\.(?!w3\.org)/).isEmpty, "\(one.path)")
    }
  }

  @Test(arguments: pages)
  func `text from the server never becomes markup`(page: Page) {
    for one in page.files where one.path.hasSuffix(".js") {
      let dangers = text(one).matches(
        of:
          /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\balert\(|\bconfirm\(/
      )
      #expect(dangers.isEmpty, "\(one.path)")
    }
  }

  @Test(arguments: ["", "//", "/box.html", "/page.js/", "/../page.js", "/PAGE.js", "/v1/status"])
  func `the page of a box has no file at any other path`(path: String) {
    #expect(!Pages.box.contains { $0.path == path })
  }

  @Test(arguments: ["/", "/session.html", "/page/", "/page/session.html", "/meeting.js", "/page/page.js"])
  func `the page of a session has no file at any other path`(path: String) {
    #expect(!Pages.session.contains { $0.path == path })
  }
}
