internal import Capture
internal import MediaModel
internal import Platform

/// Opens and closes a broadcaster's sources, on a thread of its own: a driver may take its time.
final class Devices: Sendable {
  enum Event: Sendable {
    /// The answer to `open` with this number.
    case opened(Int, Feeds)
    case failed(Int, CaptureError)
    case closed
    case feed(FeedEvent)
  }

  private enum Request: Sendable {
    case open(Int, Configuration)
    case close
  }

  private let requests = BoundedQueue<Request>(capacity: 64)
  private let note: @Sendable (String) -> Void
  private let report: @Sendable (Event) -> Void
  private let thread = ThreadSlot()

  init(
    note: @escaping @Sendable (String) -> Void, report: @escaping @Sendable (Event) -> Void
  ) throws(SystemError) {
    self.note = note
    self.report = report
    try thread.start(name: "devices") { [self] in run() }
  }

  func open(_ number: Int, _ configuration: Configuration) {
    _ = requests.offer(.open(number, configuration))
  }

  func close() {
    _ = requests.offer(.close)
  }

  /// Closes what is open, and waits for that.
  func finish() {
    close()
    requests.close()
    thread.join()
  }

  private func run() {
    /// Kept from one opening to the next, because they know which devices they had.
    var known: Feeds?
    while let request = requests.take() {
      switch request {
      case .open(let number, let configuration):
        do throws(CaptureError) {
          let sources = ConfiguredSources(configuration)
          let feeds = if let known, known.sources == sources { known } else { try find(configuration) }
          known = feeds
          try feeds.open()
          report(.opened(number, feeds))
        } catch {
          report(.failed(number, error))
        }
      case .close:
        known?.close()
        report(.closed)
      }
    }
  }

  private func find(_ configuration: Configuration) throws(CaptureError) -> Feeds {
    let report = report
    return try SourceOpening(configuration) { report(.feed($0)) }.feeds(note)
  }
}
