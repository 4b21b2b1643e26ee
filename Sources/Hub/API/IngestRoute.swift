import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

/// What media servers ask before a publish or a play begins, in the forms of nginx-rtmp, SRS and MediaMTX.
///
/// The key says it all, so a store that is away holds nobody up. There is no caller to identify: a key has 128 bits.
struct IngestRoute: Sendable {
  let hub: HubParts

  static let path = "/v1/ingest"

  var route: HubRoute {
    HubRoute("POST", Self.path, needs: nil, to: "publish", isSlow: true) { (call) throws(APIError) in
      guard let question = MediaQuestion(call.request.body) else {
        throw APIError(
          400, "badBody", "the question of the media server can't be read",
          hint: "use the callback of nginx-rtmp, SRS or MediaMTX")
      }
      // Only for who has a right key is anything looked up.
      if hub.gate.admits(question, at: .now) { hub.learn(ofStream: question.stream) }
      guard hub.gate.admits(question, at: .now) else {
        throw APIError(
          403, "keyRefused", "the key is not for this stream, or has expired", hint: "join again")
      }
      // SRS reads the code, the others the status.
      return .json(["code": .integer(0)])
    }
  }
}

/// Whether somebody may publish a stream, or play it.
struct MediaQuestion: Hashable, Sendable {
  enum Use: Hashable, Sendable { case publish, play }

  var use: Use
  /// `SESSION.MEMBER`, or `SESSION.MEMBER-small`.
  var stream: String
  var key: String
}

extension MediaQuestion {
  /// Nil if it is of none of the three forms.
  init?(_ body: [UInt8]) {
    if let json = try? JSONValue(reading: body.span), case .object = json {
      self.init(json)
    } else {
      self.init(form: String(decoding: body, as: UTF8.self))
    }
  }

  /// SRS: `{"action":"on_publish","stream":"…","param":"?key=…"}`; MediaMTX: `{"action":"publish","path":"live/…","query":"key=…"}`.
  private init?(_ json: JSONValue) {
    let uses: [String: Use] = [
      "on_publish": .publish, "publish": .publish, "on_play": .play, "play": .play, "read": .play,
    ]
    guard let use = json.field("action")?.text.flatMap({ uses[$0] }),
      let stream = json.field("stream")?.text ?? json.field("path")?.text,
      let name = stream.split(separator: "/").last
    else { return nil }
    let query = json.field("param")?.text ?? json.field("query")?.text ?? ""
    let key = Self.key(in: query) ?? json.field("password")?.text ?? ""
    self.init(use: use, stream: String(name), key: key)
  }

  /// nginx-rtmp: `call=publish&name=…&key=…` as a form.
  private init?(form: String) {
    guard let pairs = HTTPRequest.Query(form), let name = pairs["name"]?.split(separator: "/").last else {
      return nil
    }
    let use: Use
    switch pairs["call"] {
    case "publish"?, "update_publish"?: use = .publish
    case "play"?, "update_play"?: use = .play
    default: return nil
    }
    self.init(use: use, stream: String(name), key: pairs["key"] ?? "")
  }

  private static func key(in query: String) -> String? {
    HTTPRequest.Query(query.hasPrefix("?") ? String(query.dropFirst()) : query)?["key"]
  }
}
