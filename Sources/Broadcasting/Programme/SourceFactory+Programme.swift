import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastMixing

extension SourceFactory {
  /// The origin of a track that is composed of the tiles. It is never lost.
  func grid<Item: ~Copyable, Properties>(
    _ open: @escaping @Sendable (Mixer) throws(CaptureError) -> FeedSource<Item, Properties>
  ) -> FeedOrigin<Item, Properties> {
    let mixer = sharedMixer.mixer(for: configuration, make: makeMixer)
    return FeedOrigin(outlivesBroadcasts: true) { _ throws(CaptureError) in try open(mixer) }
  }

  private func makeMixer() -> Mixer {
    Mixer(
      Mixer.Settings(programme: configuration.programme, format: requested, control: programme, note: note)
    ) { (request, number, position) throws(CaptureError) in
      try tile(request, number: number, soundPosition: position)
    }
  }

  private func tile(_ request: TileRequest, number: Int, soundPosition: Int64) throws(CaptureError) -> Tile {
    let stream = request.address.map { newStream($0, trusting: configuration.programme.caFile) }
    var pictureOrigin = try origin(
      of: request.video, pictures, from: stream, replacing: replaced(request.video))
    pictureOrigin?.isAwaited = true
    var soundOrigin = try origin(
      of: request.audio, sound, from: stream, replacing: replaced(request.audio, beside: pictureOrigin?.file))
    soundOrigin?.isAwaited = true
    let state = TileState(
      request.name, number: number,
      tracks: Set([pictureOrigin.map { _ in .video }, soundOrigin.map { _ in .audio }].compactMap(\.self)),
      sound: try soundOrigin.map { _ throws(CaptureError) in
        try tileSound(request, position: soundPosition)
      })
    let (note, report) = (note, report)
    func tell(_ track: TrackKind) -> @Sendable (FeedEvent) -> Void {
      { event in if let news = state.handle(event, of: track) { report(news) } }
    }
    return Tile(
      state, stream,
      pictureOrigin.map {
        PictureFeed(
          PictureFeed.Settings(track: .video, standIn: { _ in nil }, note: note, report: tell(.video)), $0)
      },
      soundOrigin.map {
        SoundFeed(
          SoundFeed.Settings(track: .audio, standIn: { _ in nil }, note: note, report: tell(.audio)), $0)
      })
  }

  /// Files and test signals start with the tile, as if they replaced another source; files repeat.
  private func replaced<Medium>(
    _ selection: SourceSelection<Medium>, beside other: ReplacementFile? = nil
  ) -> Replaced? {
    switch selection {
    case .test, .file: Replaced(device: nil, other: other)
    case .off, .device, .network, .screen, .supplied, .grid, .stage: nil
    }
  }

  private func tileSound(_ request: TileRequest, position: Int64) throws(CaptureError) -> TileSound {
    do throws(FFmpegError) {
      return try TileSound(
        Mixer.soundFormat, position: position,
        latency: request.audio.isNetwork ? configuration.sourceLatency : .zero,
        isMuted: programme.current.mutedTiles.contains(request.name))
    } catch {
      throw CaptureError(
        .unsuitable, .audio, device: request.name, what: "\(error)",
        hint: "check whether the machine is out of memory")
    }
  }
}
