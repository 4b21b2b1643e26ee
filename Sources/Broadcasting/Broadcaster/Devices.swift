internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Opens and closes a broadcaster's sources, on a thread of its own: a driver may take its time.
final class Devices: Sendable {
  private enum Request: Sendable {
    case open(Int, Configuration)
    case close
    case change(SourceChange, until: MonotonicTime)
  }

  private let requests = BoundedQueue<Request>(capacity: 64)
  /// What a change that is under way is about.
  private let changing = Locked<Feeds?>(nil)
  private let mutes: Mutes
  private let pictures: PreviewPictures
  private let note: @Sendable (String) -> Void
  private let report: @Sendable (BroadcasterEvent) -> Void
  private let thread = ThreadSlot()
  /// What was opened last.
  let opened = Locked<Feeds?>(nil)

  init(
    _ mutes: Mutes, _ pictures: PreviewPictures, note: @escaping @Sendable (String) -> Void,
    report: @escaping @Sendable (BroadcasterEvent) -> Void
  ) throws(SystemError) {
    self.mutes = mutes
    self.pictures = pictures
    self.note = note
    self.report = report
    try thread.start(name: "devices") { [self] in run() }
  }

  func open(_ number: Int, _ configuration: Configuration) {
    _ = requests.offer(.open(number, configuration))
  }

  func close() {
    _ = requests.offer(.close)
    changing.withLock { $0 }?.abandonChange()
  }

  /// Another source takes a track's place, by then or not at all.
  func change(_ change: SourceChange, until limit: MonotonicTime) {
    if !requests.offer(.change(change, until: limit)) { report(.switched(.isOver)) }
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
          let sources = configuration.sources
          let feeds = if let known, known.sources == sources { known } else { try find(configuration) }
          known = feeds
          try feeds.open()
          opened.withLock { $0 = feeds }
          report(.opened(number, feeds.openTracks))
        } catch {
          report(.failed(number, error))
        }
      case .close:
        known?.close()
        report(.closed)
      case .change(let change, let limit):
        if let known {
          self.change(change, of: known, until: limit)
        } else {
          report(.switched(nil))
        }
      }
    }
  }

  private func change(_ change: SourceChange, of feeds: Feeds, until limit: MonotonicTime) {
    changing.withLock { $0 = feeds }
    defer { changing.withLock { $0 = nil } }
    let configuration = change.applied(to: feeds.sources)
    do throws(ChangeError) {
      let close = try feeds.change(change, with: opening(configuration), until: limit)
      report(.switched(nil))
      // The driver of the old one may be frozen.
      close()
    } catch {
      report(.switched(error))
    }
  }

  private func find(_ configuration: Configuration) throws(CaptureError) -> Feeds {
    try opening(configuration).feeds(note)
  }

  private func opening(_ configuration: Configuration) -> SourceOpening {
    let report = report
    return SourceOpening(configuration, mutes, pictures) { report(.source($0)) }
  }
}
