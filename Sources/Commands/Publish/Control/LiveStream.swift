import HoldfastBroadcasting
import HoldfastControl
import HoldfastMediaModel
import HoldfastPlatform

/// What is encoded, as MP4 for one viewer.
struct LiveStream: ResponseStream {
  private let viewer: LiveViewer
  private var nextPadding: MonotonicTime

  /// Something is sent at least this often, to detect a lost client.
  private static let paddingInterval = MediaTime.seconds(5)

  init(_ viewer: LiveViewer, at now: MonotonicTime) {
    self.viewer = viewer
    nextPadding = now + Self.paddingInterval
  }

  mutating func next(at now: MonotonicTime) -> StreamStep {
    switch viewer.next() {
    case .bytes(let bytes): return sent(bytes, at: now)
    case .nothing: return now < nextPadding ? .nothing(until: nextPadding) : sent(LiveViewer.padding, at: now)
    case .over: return .over
    }
  }

  private mutating func sent(_ bytes: [UInt8], at now: MonotonicTime) -> StreamStep {
    nextPadding = now + Self.paddingInterval
    return .bytes(bytes)
  }

  func notice(of end: APIError) -> [UInt8] { LiveViewer.end(code: end.code, message: end.message) }
}

extension BroadcasterControl {
  func live(rendition: String?) throws(APIError) -> HTTPResponse {
    guard rendition == nil else {
      throw APIError(404, "noSuchRendition", "there is no such rendition", hint: "leave the rendition out")
    }
    let viewer: LiveViewer?
    do throws(TooManyViewers) {
      viewer = try live.join()
    } catch {
      throw APIError(
        503, "tooManyViewers", "\(LivePackets.maxViewers) viewers are watching, which is the limit",
        hint: "use /v1/preview.mjpeg, or try again later", retryAfter: .seconds(10))
    }
    guard let viewer else {
      throw APIError(
        404, "notLive", "nothing is encoded at the moment",
        hint: "start the broadcast; /v1/preview.jpg shows its source", retryAfter: .seconds(1))
    }
    return HTTPResponse(contentType: viewer.mimeType, stream: LiveStream(viewer, at: .now))
  }
}
