/// Metrics in the Prometheus text format.
package struct PrometheusText: Sendable {
  package enum Kind: String, Hashable, Sendable {
    case gauge, counter
  }

  package private(set) var text = ""

  package init() {}

  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    add(name, kind, help, [([], value)])
  }

  package mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ values: [(labels: [(String, String)], value: Double)]
  ) {
    guard !values.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (labels, value) in values {
      let written = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      text += "\(name)\(written.isEmpty ? "" : "{\(written)}") \(Self.written(value))\n"
    }
  }

  private static func written(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
  }

  private static let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]

  private static func escaped(_ label: String) -> String {
    label.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}
