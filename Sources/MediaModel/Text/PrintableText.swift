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
