internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

extension Feeds {
  /// Another source takes a track's place. What is returned closes the old one, which may take a while.
  func change(
    _ change: SourceChange, with opening: SourceOpening, until limit: MonotonicTime
  ) throws(ChangeError) -> () -> Void {
    do throws(CaptureError) {
      let close: () -> Void
      switch (change, video, audio) {
      case (.video(let selection), .pictures(let feed), _):
        if selection.isAlwaysRaw, selection == sources.video.source { return {} }
        let origin = try opening.pictureOrigin(of: selection, unless: feed.memory, beside: audio?.file)
        close = try feed.change(to: origin, until: limit)
      case (.audio(let selection), _, .some(let feed)):
        if selection.isAlwaysRaw, selection == sources.audio.source { return {} }
        let origin = try opening.soundOrigin(of: selection, unless: feed.memory, beside: pictureFile)
        close = try feed.change(to: origin, until: limit)
      case (.video, .packets, _), (.video, nil, _), (.audio, _, nil):
        throw CaptureError(
          .unsuitable, change.track, device: change.source,
          what: "there is nothing whose place it could take",
          hint: "start it with --\(change.track.rawValue)")
      }
      configured.withLock { $0 = change.applied(to: $0) }
      return close
    } catch {
      throw ChangeError(error)
    }
  }

  private var pictureFile: FilePlace? {
    switch video {
    case .pictures(let feed): feed.file
    case .packets, nil: nil
    }
  }

  /// A change that is under way comes to nothing.
  func abandonChange() {
    if case .pictures(let feed) = video { feed.abandonChange() }
    audio?.abandonChange()
  }
}
