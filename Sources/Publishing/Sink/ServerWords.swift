import HoldfastMediaModel
import HoldfastRTMP
import HoldfastRTSP

/// What a server says, for people.
enum ServerWords {
  private static let maxLength = 200

  /// `text` on one line, withheld if it repeats one of `secrets` in any spelling.
  static func quoted(_ text: String, without secrets: [String]) -> String {
    let folded = folded(text)
    let repeatsOne = secrets.contains { secret in
      let spelled = Self.folded(secret)
      return secret.count > 2 && text.contains(secret) || spelled.count > 2 && folded.contains(spelled)
    }
    return repeatsOne ? "(text withheld)" : String(text.printable.prefix(maxLength))
  }

  /// The letters and digits in lower case, with percent escapes decoded, even those of escapes.
  private static func folded(_ text: String) -> String {
    var text = text
    for _ in 0..<3 {
      text = text[...].percentDecoded(isLenient: true).map { String(decoding: $0, as: UTF8.self) } ?? text
    }
    return text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}

extension RTMPURL {
  /// The key, arguments and password.
  var secrets: [String] {
    [streamName, String(streamName.prefix { $0 != "?" })] + arguments(of: streamName)
      + arguments(of: application) + [password].compactMap(\.self)
  }
}

extension RTSPURL {
  /// The parts of the path, arguments and password.
  var secrets: [String] {
    path.prefix { $0 != "?" }.split(separator: "/").map(String.init) + arguments(of: path)
      + [password].compactMap(\.self)
  }
}

/// The values of the arguments behind the `?` of a path.
private func arguments(of path: String) -> [String] {
  path.drop { $0 != "?" }.dropFirst().split(separator: "&").compactMap { argument in
    argument.split(separator: "=", maxSplits: 1).last.map(String.init)
  }
}
