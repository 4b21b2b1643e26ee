import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// A stream being published, with its players and its recording.
final class LiveStream {
  let name: StreamName
  let publisher: Client
  /// With which the publisher was admitted.
  let key: String?
  private(set) var report: StreamReport
  private(set) var players: [Player] = []
  private var timeline = PublisherTimeline()
  /// The first time of each track if they are to start at 0, else nil.
  private var starts: [TrackKind: Int64]?
  private var headers = StreamHeaders()
  private var cache: GOPCache
  private var file: FLVFile?
  private let observe: (MediaServer.Event) -> Void
  private var hasUnreported = false

  init(
    _ name: StreamName, _ type: PublishType, by publisher: Client, with key: String?,
    into file: consuming FLVFile?, at path: String?, _ configuration: MediaServer.Configuration,
    observe: @escaping (MediaServer.Event) -> Void
  ) {
    self.name = name
    self.publisher = publisher
    self.key = key
    report = StreamReport(name: name.text, type: type, peer: publisher.peer, path: path)
    self.file = file
    cache = GOPCache(capacity: configuration.playerBacklog / 2)
    starts = configuration.startsTracksAtZero ? [:] : nil
    self.observe = observe
  }

  func receive(_ message: StreamMessage, timestamp: UInt32) {
    var time = timeline.time(of: timestamp, for: message.kind)
    if let starts, !message.isHeaders, case .media(let track) = message.kind {
      let start = starts[track] ?? time
      self.starts?[track] = start
      time -= start
    }
    let isNewTrack = report.count(message, at: time)
    headers.keep(message)
    if !message.isHeaders { cache.add(message, at: time) }
    write(message, at: time)
    for player in players {
      if let skipped = player.offer(message, at: time, headers) {
        observe(.skipped(stream: name.text, peer: player.client.peer, messages: skipped))
      }
    }
    hasUnreported = true
    if isNewTrack { reportArrivals() }
  }

  func reportArrivals() {
    guard hasUnreported else { return }
    hasUnreported = false
    observe(.arrived(report))
  }

  var cachedBytes: Int { cache.bytes + headers.bytes }

  func dropCache() { cache.clear() }

  // MARK: - Players

  func add(_ player: Player) {
    player.begin(with: headers, cache)
    players.append(player)
    observe(.playing(stream: name.text, peer: player.client.peer))
  }

  func player(of client: Client, _ stream: RTMPServer.StreamID) -> Player? {
    players.first { $0.client === client && $0.stream == stream }
  }

  func removePlayer(of client: Client, _ stream: RTMPServer.StreamID) {
    guard let index = players.firstIndex(where: { $0.client === client && $0.stream == stream }) else {
      return
    }
    players.remove(at: index)
    observe(.playerLeft(stream: name.text, peer: client.peer))
  }

  // MARK: - File

  /// Data messages are not recorded: FFmpeg treats them as subtitles in a file.
  private func write(_ message: StreamMessage, at time: Int64) {
    guard message.kind != .data else { return }
    do throws(SystemError) {
      try file?.append(message, at: time)
    } catch {
      dropFile(error)
    }
  }

  func flushFile() {
    do throws(SystemError) {
      try file?.flush()
    } catch {
      dropFile(error)
    }
  }

  /// Stops the recording; the stream continues.
  private func dropFile(_ error: SystemError) {
    guard let path = report.path else { return }
    file = nil
    observe(.recordingFailed(path: path, reason: error.reason))
  }

  // MARK: - End

  func end(_ reason: MediaServer.EndReason) {
    flushFile()
    for player in players {
      player.client.plays[player.stream] = nil
      player.client.protocolState.endPlay(player.stream)
      observe(.playerLeft(stream: name.text, peer: player.client.peer))
    }
    players = []
    let size = file?.size
    file = nil
    if let size, let path = report.path { observe(.recorded(path: path, bytes: size)) }
    observe(.ended(report, reason))
  }
}
