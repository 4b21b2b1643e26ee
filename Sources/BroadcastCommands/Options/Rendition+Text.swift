import HoldfastBroadcasting
import HoldfastCommands
import HoldfastMediaModel

extension Rendition {
  private static let settings: [ObjectSetting<Rendition>] = [
    .init("size", \.size, .size), .init("bitrate", \.bitrate, .bitrate),
    .init("encoder", \.encoder, .encoder),
  ]

  fileprivate init(_ name: String, _ value: JSONValue) throws(InvalidValue) {
    self.init()
    guard case .object(let fields) = value else {
      throw InvalidValue("\(shown(name)) is not an object", hint: "write \(Self.example)")
    }
    for field in fields {
      guard let setting = Self.settings.first(where: { $0.key == field.key }) else {
        throw .unknownName(field.key, among: Self.settings.map(\.key))
      }
      guard let text = setting.form.text(of: field.value) else {
        throw InvalidValue(
          "\(field.key) of \(shown(name)) is not \(setting.form.values.expected)", hint: "correct it")
      }
      do throws(InvalidValue) { try setting.apply(text, &self) } catch {
        throw InvalidValue("\(field.key) of \(shown(name)): \(error.what)", hint: error.hint)
      }
    }
  }

  static let example = #"{ "low": { "size": "640x360", "bitrate": "500k" } }"#
}

extension ValueKind where Value == [String: Rendition] {
  static let renditions = ValueKind(
    placeholder: "JSON", form: .object,
    read: { (text) throws(InvalidValue) in
      guard case .object(let fields)? = JSONValue(json: text) else {
        throw InvalidValue("not an object", hint: "write \(Rendition.example)")
      }
      var renditions: Value = [:]
      for field in fields { renditions[field.key] = try Rendition(field.key, field.value) }
      return renditions
    })
}

extension ValueKind where Value == EncoderChoice {
  static let encoder = choice("ENCODER", of: EncoderChoice.allCases)
}
