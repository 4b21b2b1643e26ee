import HoldfastBroadcasting
import HoldfastCommands
import HoldfastMediaModel
import HoldfastPublishing

extension OutputRequest {
  /// Parses an address, or in a configuration file a JSON object with an address and settings.
  init(written text: String) throws(InvalidValue) {
    guard text.hasPrefix("{") else {
      self.init(address: try Self.address(text))
      return
    }
    guard case .object(let fields)? = JSONValue(json: text) else {
      throw InvalidValue("not an object", hint: "write { url: \"rtmp://HOST/APP/KEY\" }")
    }
    guard case .text(let url)? = fields.first(where: { $0.key == "url" })?.value else {
      throw InvalidValue("an output without a \"url\" field", hint: "write { url: \"rtmp://HOST/APP/KEY\" }")
    }
    self.init(address: try Self.address(url))
    for field in fields where field.key != "url" { try apply(field) }
  }

  static func address(_ text: String) throws(InvalidValue) -> OutputAddress {
    do { return try OutputAddress(text) } catch { throw InvalidValue(error.what, hint: error.hint) }
  }

  private static let settings: [ObjectSetting<OutputRequest>] = [
    .init("id", \.id, outputID),
    .init("publishType", \.publishType, .choice("TYPE", of: [.record, .live])),
    .init("outage", \.outage, .choice("POLICY", of: OutagePolicy.allCases)),
    .init("connectTimeout", \.connectTimeout, .duration),
    .init("stallTimeout", \.stallTimeout, .duration),
    .init("giveUpAfter", \.giveUpAfter, .duration),
    .init("adaptive", \.bitrateAdaptation, .adaptation),
    .init("tlsCa", \.tlsCA, .path),
    .init("rtspTransport", \.rtspTransport, .choice("WAY", of: RTSPSink.Transport.allCases)),
    .init("tlsInsecure", \.tlsInsecure, .toggle),
    .init("insecureAuth", \.insecureAuth, .toggle),
    .init("rendition", \.rendition, .name),
  ]

  private static let outputID = ValueKind.text(
    "ID", what: "not a plain id", hint: "write 1 to 32 of a-z, A-Z, 0-9 and . _ -"
  ) { $0.isPlain(upTo: 32) }

  private mutating func apply(_ field: JSONValue.Field) throws(InvalidValue) {
    guard let setting = Self.settings.first(where: { $0.key == field.key }) else {
      throw .unknownName(field.key, among: ["url"] + Self.settings.map(\.key))
    }
    guard let text = setting.form.text(of: field.value) else {
      throw InvalidValue("\(field.key) is not \(setting.form.values.expected)", hint: "correct it")
    }
    try setting.apply(text, &self)
  }
}

extension ValueKind where Value == [OutputRequest] {
  static let outputs = ValueKind(
    placeholder: "URL", form: .outputs,
    read: { (text) throws(InvalidValue) in [try OutputRequest(written: text)] })
}
