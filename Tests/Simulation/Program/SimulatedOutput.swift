internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPublishing

/// An output of a simulated broadcast: the real driver, at a simulated server.
final class SimulatedOutput {
  private let server: SimulatedServer
  private let loop: VirtualLoop<OutputDriver<SimulatedServer>>
  let endpoint: Endpoint
  private(set) var condition: OutputLifecycle.Condition?
  private(set) var isDecided = false
  private(set) var hasBeenAccepted: Bool

  private static let tracks = [
    Track(
      codec: .h264,
      format: .video(VideoFormat(size: PictureSize(width: 320, height: 180), frameRate: .thirty)),
      headers: [], bitrate: 500_000),
    Track(
      codec: .aac, format: .audio(AudioFormat(sampleRate: 48_000, channels: 2)), headers: [], bitrate: 128_000
    ),
  ]

  init(
    _ process: SimulatedProcess, _ broadcast: SimulatedBroadcast, _ endpoint: Endpoint, wasAccepted: Bool
  ) {
    self.endpoint = endpoint
    hasBeenAccepted = wasAccepted
    let server = SimulatedServer(process, broadcast, endpoint)
    let driver = OutputDriver(
      process.settings.output(id: endpoint.id, wasAccepted: wasAccepted),
      tracks: Set(Self.tracks.map(\.kind)), server, randomness: process.randomness.fork())
    loop = VirtualLoop(process, driver) { [unowned broadcast] in
      server.expectAtRest()
      broadcast.partEnded()
    }
    self.server = server
    server.post = { [weak loop] in loop?.post($0, after: $1) }
    server.observe = { [weak self, unowned broadcast] event in
      guard let self else { return }
      note(event)
      broadcast.output(self, reported: event)
    }
  }

  private func note(_ event: Output.Event) {
    switch event {
    case .changed(let condition, _):
      self.condition = condition
      if condition.state == .publishing { hasBeenAccepted = true }
    case .decided(let isAccepted):
      isDecided = true
      if isAccepted { hasBeenAccepted = true }
    case .lost, .bitrateRequested: break
    }
  }

  var isConnected: Bool {
    switch condition?.state {
    case .connecting, .publishing, .stalled, .waiting: true
    case .refused, .closed, nil: false
    }
  }
  var isHealthy: Bool { condition?.state == .publishing && !server.isBlocked }
  var unsentSince: Int64 { server.unsentSince }

  func start() {
    for track in Self.tracks { loop.post(.track(track)) }
  }

  func pause() {
    loop.post(.pause, after: .ms(2))
  }

  func resume() {
    isDecided = false
    loop.post(.resume, after: .ms(2))
  }

  func stop() {
    loop.post(.stop, after: .ms(2))
  }

  func networkChanged() {
    loop.post(.networkChanged, after: .ms(3))
  }
}
