/// The web pages, embedded in the program. They hold no secret and need no authentication.
package enum Pages {
  package struct File: Sendable {
    package let path: String
    package let contentType: String
    package let bytes: [UInt8]
  }

  /// Of a box.
  package static let box: [File] = [
    File(path: "/", contentType: "text/html; charset=utf-8", bytes: PackageResources.box_html),
    File(path: "/page.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.page_css),
    File(path: "/icon.svg", contentType: "image/svg+xml", bytes: PackageResources.icon_svg),
    script("api", PackageResources.api_js),
    script("choice", PackageResources.choice_js),
    script("controls", PackageResources.controls_js),
    script("dom", PackageResources.dom_js),
    script("fragments", PackageResources.fragments_js),
    script("live", PackageResources.live_js),
    script("membership", PackageResources.membership_js),
    script("pace", PackageResources.pace_js),
    script("page", PackageResources.page_js),
    script("preview", PackageResources.preview_js),
    script("problems", PackageResources.problems_js),
    script("session", PackageResources.session_js),
    script("sources", PackageResources.sources_js),
    script("stream", PackageResources.stream_js),
    script("stretches", PackageResources.stretches_js),
    script("timeline", PackageResources.timeline_js),
    script("view", PackageResources.view_js),
    script("words", PackageResources.words_js),
  ]

  private static func script(_ name: String, _ bytes: [UInt8]) -> File {
    File(path: "/\(name).js", contentType: "text/javascript; charset=utf-8", bytes: bytes)
  }
}
