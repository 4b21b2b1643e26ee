import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPages
import HoldfastPlatform

/// The routes of the hub itself.
struct HubRoutes: Sendable {
  let hub: HubParts

  var all: [HubRoute] {
    [
      HubRoute("GET", "/healthz", needs: nil, to: "check the hub") { _ in
        .ok(["store": .text(hub.trouble == nil ? "ok" : "away")])
      },
      HubRoute("GET", "/v1/openapi.json", needs: nil, to: "describe the API") { _ in
        HTTPResponse(contentType: "application/json", body: Pages.hubAPI)
      },
      HubRoute("GET", "/metrics", needs: .allSessions, to: "see the metrics") { _ in
        HTTPResponse(
          contentType: "text/plain; version=0.0.4; charset=utf-8", body: Array(hub.metrics.text.utf8))
      },
    ]
  }

  /// A session's page, which holds no secret; after all others, as any name may be a session's.
  static let page: [HubRoute] = Pages.session.map { file in
    HubRoute("GET", file.path.isEmpty ? "/{name}" : file.path, needs: nil, to: "show the page") { _ in
      HTTPResponse(contentType: file.contentType, body: file.bytes)
    }
  }
}
