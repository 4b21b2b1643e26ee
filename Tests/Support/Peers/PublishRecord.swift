/// What a server was asked for by a publisher, as its own log has it.
package struct PublishRecord: Hashable, Sendable {
  package let application: String
  package let name: String
  /// `live`, `record` or `append`, as it came over the wire.
  package let type: String
  package let isAccepted: Bool

  /// `1763722200.123 app name type=record status=200`.
  init?(logLine: String) {
    let words = logLine.split(separator: " ").map(String.init)
    guard words.count == 5, words[3].hasPrefix("type="), words[4].hasPrefix("status=") else { return nil }
    application = words[1]
    name = words[2]
    type = String(words[3].dropFirst(5))
    isAccepted = words[4] == "status=200"
  }
}
