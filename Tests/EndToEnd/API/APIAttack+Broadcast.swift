import TestSupport

extension APIAttack.Target {
  /// A broadcast, attacked by whoever has its host's token.
  static func broadcast(_ broadcast: ControlledBroadcast) -> APIAttack.Target {
    APIAttack.Target(
      port: broadcast.port, secret: broadcast.secret.path, session: ControlledBroadcast.name,
      token: broadcast.host, view: APIAttack.Route(method: "GET", path: "/v1/status"),
      change: APIAttack.Route(method: "PATCH", path: "/v1/tracks/audio"),
      end: APIAttack.Route(method: "POST", path: "/v1/stop"), badValues: badValues)
  }

  private static var badValues: [(path: String, body: String)] {
    var values: [(path: String, body: String)] = badRates.map { ("/v1/bitrate", #"{"bps":\#($0)}"#) }
    values += badLengths.map { ("/v1/extend", #"{"by":\#($0),"id":"a"}"#) }
    for path in ["/v1/camera", "/v1/microphone"] {
      values += badSources.map { (path, #"{"source":\#($0)}"#) }
    }
    return values + badGrants.map { ("/v1/tokens", $0) }
  }

  private static let badRates: [String] = [
    "1e400", "-1", "0", "1.5", "9223372036854775808", "1e18", "{}", "\"1k\\u0000\"",
    #""99999999999999999999k""#, "\"\"", "[1500000]", #""٣٣٣٣٣٣k""#,
  ]

  private static let badLengths: [String] = [
    "1e308", "-1", #""-10m""#, #""10 parsecs""#, "0", #""9999999999999999999h""#, "[]",
  ]

  private static let badSources: [String] = [
    #""file:/etc/passwd""#, #""camera:../../etc/passwd""#, #""camera:/dev/mem""#, #""off""#, "7", "\"\"",
    "\"test\\u0000\"", "\"" + String(repeating: "a", count: 10_000) + "\"",
  ]

  private static let badGrants: [String] = [
    #"{"name":"Eve","role":"god","lasts":"2h"}"#, #"{"name":"Eve","role":"host","lasts":"9999999h"}"#,
    #"{"name":"","role":"host","lasts":"2h"}"#, "{\"name\":\"\\n\",\"role\":\"host\",\"lasts\":\"2h\"}",
    #"{"name":""# + String(repeating: "x", count: 201) + #"","role":"host","lasts":"2h"}"#,
    #"{"name":"Eve","role":"host","lasts":-1}"#,
  ]
}
