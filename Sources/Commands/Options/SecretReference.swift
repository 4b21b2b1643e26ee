import HoldfastMediaModel
package import HoldfastPlatform

/// Resolves `@FILE` and `env:NAME`, which keep keys out of process lists.
package struct SecretReference: Sendable {
  package let environment: [String: String]
  private let readFile: @Sendable (String) throws(SystemError) -> [UInt8]

  package init(
    environment: [String: String],
    readFile: @escaping @Sendable (String) throws(SystemError) -> [UInt8] = { (path) throws(SystemError) in
      try FileDescriptor.contents(of: path, limit: 1 << 20)
    }
  ) {
    self.environment = environment
    self.readFile = readFile
  }

  package func contents(of file: String) throws(SystemError) -> [UInt8] { try readFile(file) }

  /// The name of the variable that `text` refers to.
  package static func variable(_ text: String) -> String? {
    text.hasPrefix("env:") ? String(text.dropFirst(4)) : nil
  }

  /// `subject` and `status` describe a missing file or variable, `content` what it should hold.
  package func find(
    _ text: String, subject: String, status: ExitStatus, holding content: String = "an address"
  ) throws(Refusal) -> String {
    if text.hasPrefix("@") {
      let path = String(text.dropFirst())
      let bytes = try mapError(readFile(path)) { (error: SystemError) in
        Refusal(
          error.isNotFound ? .notFound : status, "\(subject) @\(shown(path))", error.reason,
          "use a readable file that holds \(content)")
      }
      return String(decoding: bytes, as: UTF8.self).trimmed
    }
    guard let name = Self.variable(text) else { return text }
    guard let found = environment[name] else {
      throw Refusal(
        status, "\(subject) env:\(shown(name))", "no such environment variable", "set it to \(content)")
    }
    return found.trimmed
  }
}

extension String {
  package var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
