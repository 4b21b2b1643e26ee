import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastTokens

/// Routes that observe the broadcast.
struct StatusRoutes: Sendable {
  let target: any ControlTarget
  let parts: ControlAPI.Parts

  private static let pictureTimeout = MediaTime.seconds(2)
  private static let statusIntervals = 100...60_000

  var all: [ControlRoute] {
    [
      ControlRoute("GET", "/v1/me", needs: .view) { .json(Self.about($0.caller)) },
      ControlRoute("GET", ControlAPI.statusPath, needs: .view) { _ in .json(target.status()) },
      ControlRoute("GET", "/v1/sources", needs: .view, isSlow: true) { _ in .json(target.sources()) },
      ControlRoute("GET", "/v1/events", needs: .view) { (call) throws(APIError) in
        try events(call.request)
      },
      ControlRoute("GET", "/v1/preview.jpg", needs: .view, isSlow: target.picture() == nil) {
        (_) throws(APIError) in
        guard let picture = target.picture(until: .now + Self.pictureTimeout) else {
          throw APIError(
            404, "noPicture", "there is no picture to show", hint: "check that a video source is open",
            retryAfter: .seconds(1))
        }
        return HTTPResponse(contentType: "image/jpeg", body: picture.jpeg)
      },
      ControlRoute("GET", "/v1/preview.mjpeg", needs: .view) { _ in
        .pictures(PictureStream(at: .now) { target.picture() })
      },
      ControlRoute(
        "GET", "/v1/live.mp4", needs: .view, isSlowFor: { !target.isLiveEncoded($0.query["rendition"]) }
      ) { (call) throws(APIError) in
        try target.live(rendition: call.request.query["rendition"])
      },
      ControlRoute("GET", "/metrics", needs: .view) { _ in
        var page = target.metrics()
        page.add(
          "holdfast_failed_tokens_total", .counter, "Requests with an invalid token.",
          Double(parts.authenticator.failedAttempts))
        return HTTPResponse(
          contentType: "text/plain; version=0.0.4; charset=utf-8", body: Array(page.text.utf8))
      },
    ]
  }

  private static func about(_ caller: Caller) -> JSONValue {
    [
      "name": .text(caller.name), "role": .text(caller.role.rawValue),
      "may": .list(caller.capabilities.map { .text($0.rawValue) }),
      "expiresAt": JSONValue(caller.expiresAt?.rfc3339),
    ]
  }

  private func events(_ request: HTTPRequest) throws(APIError) -> HTTPResponse {
    var every: MediaTime?
    if let text = request.query["status"] {
      guard let milliseconds = Int(text), Self.statusIntervals.contains(milliseconds) else {
        throw .badValue(
          "status", "not a valid number of milliseconds", hint: "write ?status=500, from 100 to 60000")
      }
      every = .milliseconds(Int64(milliseconds))
    }
    return .events(
      EventStream(
        parts.events, after: request.lastEventID, status: every.map { (parts.status, $0) }, at: .now))
  }
}
