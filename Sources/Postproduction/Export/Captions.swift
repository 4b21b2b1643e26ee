import HoldfastMediaModel

/// A WebVTT file.
struct Captions {
  private(set) var text = "WEBVTT\n"
  private var count = 0

  mutating func add(_ time: Range<MediaTime>, _ line: String) {
    count += 1
    text +=
      "\n\(count)\n\(Self.timestamp(time.lowerBound)) --> \(Self.timestamp(time.upperBound))\n\(Self.escaped(line))\n"
  }

  private static func timestamp(_ time: MediaTime) -> String {
    let text = time.description
    return text.prefix { $0 != ":" }.count < 2 ? "0" + text : text
  }

  private static func escaped(_ line: String) -> String {
    var result = ""
    for character in line.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\n", "\r", "\0": result += " "
      default: result.unicodeScalars.append(character)
      }
    }
    return result.isEmpty ? " " : result
  }
}
