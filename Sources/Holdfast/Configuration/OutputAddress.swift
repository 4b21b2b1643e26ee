import HoldfastPublishing

/// The address of an output.
public struct OutputAddress: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastPublishing.OutputAddress

  /// Parses an address: `rtmp://HOST/APP/KEY`, `rtsp://HOST/PATH` or `srt://HOST:PORT`, or with `rtmps` or
  /// `rtsps`.
  public init(_ text: String) throws(ConfigurationError) {
    do { inner = try HoldfastPublishing.OutputAddress(text) } catch {
      throw ConfigurationError(properties: ["address"], what: error.what, hint: error.hint)
    }
  }

  /// The address without keys, passwords and arguments; safe to log.
  public var description: String { inner.redacted }
}
