import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Opens and closes a broadcaster's sources on its own thread, because drivers may block.
final class SourceOpener: Sendable {
  /// Requests, each with the configuration at its time.
  private let requests = BoundedQueue<(SourceRequest, Configuration)>(capacity: 64)
  private let switching = Locked<Feeds?>(nil)
  private let broadcaster: Broadcaster
  private let mixer = SharedMixer()
  private let thread = ThreadSlot()
  let openFeeds = Locked<Feeds?>(nil)

  init(_ broadcaster: Broadcaster) throws(SystemError) {
    self.broadcaster = broadcaster
    try thread.start(name: "devices") { [self] in run() }
  }

  func request(_ request: SourceRequest, _ configuration: Configuration) {
    let isTaken = requests.offer((request, configuration))
    switch request {
    case .open: break
    case .close: switching.withLock { $0 }?.abandonChange()
    case .change: if !isTaken { report(.switched(.isOver)) }
    }
  }

  /// Closes the sources and waits for the thread.
  func finish() {
    request(.close, Configuration())
    requests.close()
    thread.join()
  }

  private func run() {
    var known: Feeds?
    while let (request, configuration) = requests.take() {
      switch request {
      case .open(let number):
        do throws(CaptureError) {
          try configuration.refuseOwnOutputs()
          let sources = configuration.sources
          let feeds =
            if let known, known.sources == sources { known } else { try factory(configuration).feeds() }
          known = feeds
          try feeds.open()
          openFeeds.withLock { $0 = feeds }
          report(.opened(number, feeds.openTracks))
        } catch {
          report(.failed(number, error))
        }
      case .close:
        known?.close()
        report(.closed)
      case .change(let change, let limit):
        if let known {
          self.change(change, of: known, in: configuration, until: limit)
        } else {
          report(.switched(nil))
        }
      }
    }
  }

  private func change(
    _ change: SourceChange, of feeds: Feeds, in current: Configuration, until limit: MonotonicTime
  ) {
    switching.withLock { $0 = feeds }
    defer { switching.withLock { $0 = nil } }
    let configuration = change.applied(to: feeds.sources)
    do throws(ChangeError) {
      try mapError(change.applied(to: current).refuseOwnOutputs()) { (error: CaptureError) in
        ChangeError(error)
      }
      let close = try feeds.change(change, with: factory(configuration), until: limit)
      report(.switched(nil))
      // Done last: the old source's driver may block.
      close()
    } catch {
      report(.switched(error))
    }
  }

  private func report(_ event: ProcessEvent) { broadcaster.loop.post(event) }

  private func factory(_ configuration: Configuration) -> SourceFactory {
    SourceFactory(
      configuration: configuration, mutes: broadcaster.mutes, loudness: broadcaster.loudness,
      previews: broadcaster.pictures, programme: broadcaster.programme, sharedMixer: mixer,
      note: { [broadcaster] in broadcaster.show(.warning($0)) },
      report: { [inbox = broadcaster.loop.inbox] in inbox.post(.source($0)) })
  }
}
