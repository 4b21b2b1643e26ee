import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform

struct FeedOrigin<Item: ~Copyable & Sendable, Properties: Sendable>: Sendable {
  /// The source runs from `open` on, with or without a broadcast.
  var outlivesBroadcasts: Bool
  var endsByItself = false
  var file: ReplacementFile?
  var device: KnownDevice?
  var network: NetworkStream?
  /// Waited for before it has ever delivered.
  var isAwaited = false
  /// Nil for Holdfast's own sources, which limit their waits themselves.
  var limits: SourceLimits?
  /// Opens the source; a known device is found again wherever it is plugged in. A network source is waited for
  /// until the wakeup signals; without one, for a second.
  let open: @Sendable (Wakeup?) throws(CaptureError) -> FeedSource<Item, Properties>

  /// The cause of what is missing while a stand-in replaces the source.
  var outageCause: Gap.Cause { network == nil ? .device : .source }
}

/// How long to wait for a source whose code is the program's and may block.
struct SourceLimits: Sendable {
  var firstItem = MediaTime.seconds(5)
  /// After this time without returning, its thread is abandoned.
  var stop = MediaTime.seconds(1)
}
