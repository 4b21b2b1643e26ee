/// Why a recording can't be written.
public struct RecordingError: Error, Hashable, Sendable {
  public let path: String
  public let what: String

  public init(path: String, what: String) {
    self.path = path
    self.what = what
  }
}

extension RecordingError: CustomStringConvertible {
  public var description: String { "\(path): \(what)" }
}
