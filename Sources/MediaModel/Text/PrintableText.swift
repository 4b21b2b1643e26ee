/// The importance of a line; the raw values are syslog's.
package enum LinePriority: Int, Hashable, Sendable, CaseIterable {
  case error = 3
  case warning, notice, info
}

extension Unicode.Scalar {
  /// Neither a control character, nor one that is invisible, breaks a line or turns text around.
  package var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: true
    }
  }

  /// Allowed in names: not a line end, a terminal control or a bidirectional control.
  package var canBeShown: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: !properties.isBidiControl
    }
  }
}

extension String {
  /// Safe to show on one line: words of a stranger may neither move a terminal's cursor nor hide anything.
  package var printable: String { String(String.UnicodeScalarView(unicodeScalars.filter(\.isPrintable))) }

  /// The same, line by line.
  package var printableLines: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0 == "\n" || $0.isPrintable }))
  }
}

extension String {
  /// True for 1 to `most` characters of a-z, A-Z, 0-9 and . _ -
  package func isPlain(upTo most: Int) -> Bool {
    (1...most).contains(utf8.count)
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x2D, 0x2E, 0x5F].contains(byte)
      }
  }
}

extension InvalidValue {
  /// What is wrong with the name of a broadcast; nil if its files can be named after it.
  package static func ofBroadcast(named name: String) -> InvalidValue? {
    guard !name.isPlain(upTo: 64) || ".-_".contains(name.first ?? ".") else { return nil }
    return InvalidValue(
      "not usable in file names",
      hint: "use 1 to 64 of a-z, A-Z, 0-9 and . _ -, starting with a letter or digit")
  }
}
