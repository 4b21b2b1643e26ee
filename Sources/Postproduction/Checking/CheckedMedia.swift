import HoldfastFFmpeg
import HoldfastMP4
import HoldfastRecording

/// What libavformat and decoders get of a recording: only fragments that were found whole.
struct CheckedMedia: Sendable {
  let path: String
  private let source: RecordingBytes
  private let head: RecordingHead
  private let end: Int

  /// `end` is where the checked fragments end.
  init(path: String, _ source: RecordingBytes, until end: Int) throws(FragmentedFileError) {
    self.path = path
    self.source = source
    self.end = end
    head = try RecordingHead(source)
  }

  /// Reads the recording from its beginning.
  func stream() throws(FragmentedFileError) -> MediaStream {
    var stream = try CheckedStream(source, head: head, until: end)
    return MediaStream(maxPixels: maxPixels) { stream.next() }
  }

  /// The largest picture that a file of this size may have: a full-HD one, or 16 pixels a byte.
  var maxPixels: Int { min(max(1920 * 1088, 16 * source.size), 8192 * 4320) }

  /// How much may be decoded of the file: far more than any encoder makes of so many bytes.
  var maxDecodedPixels: Int { (1 << 29) + 8192 * source.size }
}
