import HoldfastBroadcasting
package import HoldfastHTTP
import HoldfastLifecycle
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
  /// For as long a viewer waits for the encoder of a rendition.
  private static let startTimeout = MediaTime.seconds(3)

  package func isLiveEncoded(_ rendition: String?) -> Bool { live.isEncoded(rendition) }

  package func live(rendition: String?) throws(APIError) -> HTTPResponse {
    if let rendition { try requireRendition(rendition) }
    let isRunning = broadcaster.state == .live
    do throws(LiveRefusal) {
      let viewer = try live.join(rendition, until: isRunning ? .now + Self.startTimeout : .now)
      return HTTPResponse(contentType: viewer.mimeType, stream: LiveStream(viewer, at: .now))
    } catch {
      throw APIError(error, rendition)
    }
  }

  private func requireRendition(_ name: String) throws(APIError) {
    let configuration = broadcaster.runningConfiguration ?? broadcaster.configuration
    let isCopied = configuration.video.encoder == .copy
    let known = isCopied || configuration.video.source == .off ? [] : configuration.renditions.keys.sorted()
    guard !known.contains(name) else { return }
    let what =
      isCopied ? "the pictures are copied, so there is no rendition of them" : "there is no rendition \(name)"
    throw APIError(
      404, "noSuchRendition", what,
      hint: known.isEmpty ? "leave the rendition out" : "choose one of \(known.joined(separator: ", "))")
  }
}

extension APIError {
  fileprivate init(_ refusal: LiveRefusal, _ rendition: String?) {
    switch refusal {
    case .tooManyViewers:
      self.init(
        503, "tooManyViewers", "\(LivePackets.maxViewers) viewers are watching, which is the limit",
        hint: "use /v1/preview.mjpeg, or try again later", retryAfter: .seconds(10))
    case .notLive:
      self.init(
        404, "notLive", "nothing is encoded at the moment",
        hint: "start the broadcast; /v1/preview.jpg shows its source", retryAfter: .seconds(1))
    case .noRoom(let why):
      self.init(
        503, "noRoom", "\(rendition ?? "the live stream") can't be encoded for viewers now: \(why)",
        hint: rendition == nil ? "try again later" : "leave the rendition out, or try again later",
        retryAfter: .seconds(30))
    }
  }
}
