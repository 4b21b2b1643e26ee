import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform

struct FeedOrigin<Item: ~Copyable & Sendable, Properties: Sendable>: Sendable {
  /// The source runs from `open` on, with or without a broadcast.
  var outlivesBroadcasts: Bool
  var endsByItself = false
  var file: ReplacementFile?
  var device: KnownDevice?
  /// Nil for Holdfast's own sources, which limit their waits themselves.
  var limits: SourceLimits?
  /// Opens the source; a known device is found again wherever it is plugged in.
  let open: @Sendable () throws(CaptureError) -> FeedSource<Item, Properties>
}

/// How long to wait for a source whose code is the program's and may block.
struct SourceLimits: Sendable {
  var firstItem = MediaTime.seconds(5)
  /// After this time without returning, its thread is abandoned.
  var stop = MediaTime.seconds(1)
}
