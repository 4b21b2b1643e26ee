/// The web pages, embedded in the program. They hold no secret and need no authentication.
package enum Pages {
  package struct File: Sendable {
    package let path: String
    package let contentType: String
    package let bytes: [UInt8]
  }

  /// Of a box.
  package static let box: [File] =
    [page(PackageResources.box_html, at: "/")]
    + ([sheet("page", PackageResources.page_css)] + boxScripts + shared).map { $0.inside("/") }

  /// Of a session. The page itself has an empty path: its address ends with the session's name.
  package static let session: [File] =
    [page(PackageResources.session_html, at: "")]
    + ([sheet("session", PackageResources.session_css), sheet("tiles", PackageResources.tiles_css)]
    + sessionScripts + shared).map { $0.inside("/page/") }

  private static let boxScripts: [File] = [
    script("api", PackageResources.api_js),
    script("choice", PackageResources.choice_js),
    script("controls", PackageResources.controls_js),
    script("live", PackageResources.live_js),
    script("membership", PackageResources.membership_js),
    script("page", PackageResources.page_js),
    script("preview", PackageResources.preview_js),
    script("problems", PackageResources.problems_js),
    script("programme", PackageResources.programme_js),
    script("session", PackageResources.session_js),
    script("sources", PackageResources.sources_js),
    script("view", PackageResources.view_js),
    script("words", PackageResources.words_js),
  ]

  private static let sessionScripts: [File] = [
    script("access", PackageResources.access_js),
    script("acts", PackageResources.acts_js),
    script("attendance", PackageResources.attendance_js),
    script("desk", PackageResources.desk_js),
    script("frames", PackageResources.frames_js),
    script("gate", PackageResources.gate_js),
    script("history", PackageResources.history_js),
    script("hub", PackageResources.hub_js),
    script("lobby", PackageResources.lobby_js),
    script("meeting", PackageResources.meeting_js),
    script("news", PackageResources.news_js),
    script("past", PackageResources.past_js),
    script("people", PackageResources.people_js),
    script("previews", PackageResources.previews_js),
    script("relay", PackageResources.relay_js),
    script("rights", PackageResources.rights_js),
    script("sizes", PackageResources.sizes_js),
    script("sound", PackageResources.sound_js),
    script("source", PackageResources.source_js),
    script("stage", PackageResources.stage_js),
    script("state", PackageResources.state_js),
    script("terms", PackageResources.terms_js),
    script("tile", PackageResources.tile_js),
  ]

  private static let shared: [File] = [
    File(path: "icon.svg", contentType: "image/svg+xml", bytes: PackageResources.icon_svg),
    sheet("base", PackageResources.base_css),
    script("chart", PackageResources.chart_js),
    script("dom", PackageResources.dom_js),
    script("fragments", PackageResources.fragments_js),
    script("pace", PackageResources.pace_js),
    script("phrases", PackageResources.phrases_js),
    script("playback", PackageResources.playback_js),
    script("requests", PackageResources.requests_js),
    script("stream", PackageResources.stream_js),
    script("stretches", PackageResources.stretches_js),
  ]

  private static func page(_ bytes: [UInt8], at path: String) -> File {
    File(path: path, contentType: "text/html; charset=utf-8", bytes: bytes)
  }

  private static func sheet(_ name: String, _ bytes: [UInt8]) -> File {
    File(path: "\(name).css", contentType: "text/css; charset=utf-8", bytes: bytes)
  }

  private static func script(_ name: String, _ bytes: [UInt8]) -> File {
    File(path: "\(name).js", contentType: "text/javascript; charset=utf-8", bytes: bytes)
  }
}

extension Pages.File {
  fileprivate func inside(_ folder: String) -> Pages.File {
    Pages.File(path: folder + path, contentType: contentType, bytes: bytes)
  }
}
