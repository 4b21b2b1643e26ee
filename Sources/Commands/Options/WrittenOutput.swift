import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPublishing

/// An output as written by people: an address, or in a configuration file an object with settings, too.
enum WrittenOutput {
  static func read(_ text: String) throws(InvalidValue) -> OutputRequest {
    guard text.hasPrefix("{") else { return OutputRequest(address: try address(text)) }
    guard case .object(let fields)? = JSONValue(json: text) else {
      throw InvalidValue(why: "not an object", remedy: "write { url: \"rtmp://HOST/APP/KEY\" }")
    }
    guard case .text(let url)? = fields.first(where: { $0.key == "url" })?.value else {
      throw InvalidValue(why: "an output without a url", remedy: "write { url: \"rtmp://HOST/APP/KEY\" }")
    }
    var request = OutputRequest(address: try address(url))
    for field in fields where field.key != "url" { try apply(field, to: &request) }
    return request
  }

  private static func address(_ text: String) throws(InvalidValue) -> OutputAddress {
    do { return try OutputAddress(text) } catch { throw InvalidValue(why: error.what, remedy: error.hint) }
  }

  private typealias Setting = @Sendable (String, inout OutputRequest) throws(InvalidValue) -> Void

  private static let settings: [(key: String, form: OptionForm, apply: Setting)] = [
    setting("id", \.id, outputID),
    setting("publishType", \.publishType, .choice("TYPE", of: [.record, .live])),
    setting("outage", \.outage, .choice("POLICY", of: OutagePolicy.allCases)),
    setting("connectTimeout", \.connectTimeout, .duration),
    setting("stallTimeout", \.stallTimeout, .duration),
    setting("giveUpAfter", \.giveUpAfter, .duration),
    setting("adaptive", \.adaptsBitrate, .toggle),
    setting("tlsCa", \.tlsCA, .path),
    setting("rtspTransport", \.rtspTransport, .choice("WAY", of: RTSPSink.Transport.allCases)),
    setting("tlsInsecure", \.tlsInsecure, .toggle),
  ]

  private static func setting<Value>(
    _ key: String, _ property: any WritableKeyPath<OutputRequest, Value?> & Sendable, _ kind: ValueKind<Value>
  ) -> (key: String, form: OptionForm, apply: Setting) {
    (
      key, kind.form,
      { (text, request) throws(InvalidValue) in request[keyPath: property] = try kind.read(text) }
    )
  }

  private static let outputID = ValueKind.text(
    "ID", why: "not a plain id", remedy: "write 1 to 32 of a-z, A-Z, 0-9 and . _ -"
  ) { $0.isPlain(upTo: 32) }

  private static func apply(_ field: JSONValue.Field, to request: inout OutputRequest) throws(InvalidValue) {
    guard let setting = settings.first(where: { $0.key == field.key }) else {
      throw .unknownName(field.key, among: ["url"] + settings.map(\.key))
    }
    guard let text = setting.form.text(of: field.value) else {
      throw InvalidValue(why: "\(field.key) is not \(setting.form.values.expected)", remedy: "correct it")
    }
    try setting.apply(text, &request)
  }
}

extension ValueKind where Value == [OutputRequest] {
  static let outputs = ValueKind(
    "URL", form: .outputs, read: { (text) throws(InvalidValue) in [try WrittenOutput.read(text)] },
    write: { _ in nil })
}
