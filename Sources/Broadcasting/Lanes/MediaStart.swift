package import HoldfastMediaModel

/// The start of a running period, in capture and media time.
package struct MediaStart: Hashable, Sendable {
  package let at: MonotonicTime
  package let mediaTime: MediaTime
  package let lastEnd: MonotonicTime?

  package init(at: MonotonicTime, mediaTime: MediaTime, lastEnd: MonotonicTime?) {
    self.at = at
    self.mediaTime = mediaTime
    self.lastEnd = lastEnd
  }
}
