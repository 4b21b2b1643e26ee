import Glibc
import HoldfastMediaModel
import HoldfastMixing
import HoldfastPlatform

/// Encoded bytes of each track. No dictionary: a snapshot would share its storage with the lanes.
struct TrackBytes: Hashable, Sendable {
  private var video = 0
  private var audio = 0

  subscript(track: TrackKind) -> Int {
    get { track == .video ? video : audio }
    set {
      switch track {
      case .video: video = newValue
      case .audio: audio = newValue
      }
    }
  }
}

/// Counters of the running lanes.
final class Meters: Sendable {
  struct Values: Hashable, Sendable {
    var mediaTime = MediaTime.zero
    var pictures = 0
    var bytes = TrackBytes()
    var tracks: [TrackKind: Track] = [:]
    /// The bitrate that the video encoder aims at; nil if it is unknown.
    var targetBitrate: Int?
    var droppedPictures = 0
    /// What a picture takes, on average.
    var encodingTime = MediaTime.zero
    /// The encoder does less than usual.
    var isOverloaded = false
    var xruns = 0
    /// Since the last `take`.
    var sound = SoundLevel()
    /// In parts per million; nil if not measured.
    var drift: Double?
  }

  private let values = Locked(Values())
  /// What a track is losing and has not reported.
  struct Lasting: Hashable, Sendable {
    var losses: [TrackLoss] = []
    /// See `LaneDestination`.
    var users: [String]?
    /// What a stand-in replaces.
    var outage: DeviceOutage?
  }

  private let lastingByTrack = Locked<[TrackKind: Lasting]>([:])

  func set(_ lasting: Lasting, of track: TrackKind) { lastingByTrack.withLock { $0[track] = lasting } }

  func losses(until mediaTime: MediaTime) -> [TrackLoss] {
    lastingByTrack.withLock { lastingByTrack in
      lastingByTrack.values.flatMap { lasting in
        lasting.losses.flatMap { $0.atEach(of: lasting.users) }
          + (lasting.outage?.loss(at: mediaTime).map { [$0] } ?? [])
      }
    }
  }

  func add(_ packet: MediaPacket) {
    values.withLock { values in
      values.mediaTime = max(values.mediaTime, packet.presentationTime + packet.duration)
      values.bytes[packet.track] += packet.bytes.count
      if packet.track == .video { values.pictures += 1 }
    }
  }

  func add(_ track: Track) {
    values.withLock { values in
      values.tracks[track.kind] = track
      if track.kind == .video, values.targetBitrate == nil, track.bitrate > 0 {
        values.targetBitrate = track.bitrate
      }
    }
  }

  func setTargetBitrate(_ bitsPerSecond: Int) { values.withLock { $0.targetBitrate = bitsPerSecond } }

  var videoTrack: Track? { values.withLock { $0.tracks[.video] } }

  func addEncoding(_ time: MediaTime) {
    values.withLock { values in
      let average = values.encodingTime.nanoseconds
      values.encodingTime = MediaTime(
        nanoseconds: average == 0 ? time.nanoseconds : average + (time.nanoseconds - average) / 32)
    }
  }

  func setOverloaded(_ isOverloaded: Bool) { values.withLock { $0.isOverloaded = isOverloaded } }

  func addPicture() { values.withLock { $0.pictures += 1 } }

  func add(_ loss: TrackLoss) {
    values.withLock { values in
      values.droppedPictures += loss.pictures
      if loss.cause == .xrun { values.xruns += 1 }
    }
  }

  func addSound(_ samples: [Float], drift: Double?) {
    values.withLock { values in
      values.sound.add(samples)
      values.drift = drift
    }
  }

  /// Returns the counters and resets the level.
  func take() -> Values {
    let unreportedPictures = lastingByTrack.withLock { lastingByTrack in
      lastingByTrack.values.flatMap(\.losses).reduce(0) { $0 + $1.pictures }
    }
    return values.withLock { values in
      var result = values
      result.droppedPictures += unreportedPictures
      values.sound = SoundLevel()
      return result
    }
  }
}

extension Meters.Values {
  /// With the counters of a rendition; the pictures are those of the first one.
  fileprivate func adding(_ rendition: Meters.Values) -> Meters.Values {
    var sum = self
    sum.mediaTime = max(mediaTime, rendition.mediaTime)
    sum.droppedPictures += rendition.droppedPictures
    guard tracks[.video] == nil, let track = rendition.tracks[.video] else { return sum }
    sum.pictures = rendition.pictures
    sum.tracks[.video] = track
    sum.bytes[.video] = rendition.bytes[.video]
    sum.targetBitrate = rendition.targetBitrate
    return sum
  }
}

/// The counters of a running encode of the pictures.
struct RenditionMeters {
  let id: RenditionID
  let users: [String]
  let isForViewers: Bool
  let values: Meters.Values

  init(_ rendition: LaneRendition) {
    isForViewers = rendition.planned.isForViewers
    id = rendition.planned.id
    users = rendition.destination.users?.withLock { $0 } ?? rendition.planned.users
    values = rendition.destination.meters.take()
  }

  /// What encoding takes.
  var processors: Double {
    guard case .video(let format)? = values.tracks[.video]?.format else { return 0 }
    return values.encodingTime.seconds / format.frameRate.frameDuration.seconds
  }
}

/// Derives rates from counters, averaged over two seconds.
struct RateMeter {
  private struct Sample {
    let time: MonotonicTime
    let pictures: Int
    let bytes: TrackBytes
    let renditions: [RenditionID: Int]
  }

  private static let window = MediaTime.seconds(2)
  private var samples: [Sample] = []

  /// The pictures are those of the first of `renditions`, if there is one.
  mutating func snapshot(
    _ values: Meters.Values, _ renditions: [RenditionMeters] = [], state: Snapshot.State,
    recordedBytes: Int, at now: MonotonicTime
  ) -> Snapshot {
    let values = renditions.filter { !$0.isForViewers }.reduce(values) { $0.adding($1.values) }
    let bytes = renditions.map { ($0.id, $0.values.bytes[.video]) }
    samples.append(
      Sample(
        time: now, pictures: values.pictures, bytes: values.bytes,
        renditions: Dictionary(uniqueKeysWithValues: bytes)))
    while samples.count > 2, now - samples[0].time > Self.window { samples.removeFirst() }
    var snapshot = Snapshot()
    snapshot.state = state
    snapshot.mediaTime = values.mediaTime
    let seconds = (now - samples[0].time).seconds
    var rates: [TrackKind: Double] = [:]
    if seconds > 0 {
      snapshot.framesPerSecond = Double(values.pictures - samples[0].pictures) / seconds
      for track in TrackKind.allCases where values.bytes[track] > 0 {
        rates[track] = Double(values.bytes[track] - samples[0].bytes[track]) * 8 / seconds
      }
      snapshot.bitsPerSecond = rates.values.reduce(0, +)
    }
    for (kind, track) in values.tracks {
      snapshot.tracks[kind] = EncodedTrack(
        codec: track.codec, format: track.format, bitsPerSecond: rates[kind] ?? 0,
        targetBitrate: kind == .video ? values.targetBitrate : nil)
    }
    snapshot.renditions = renditions.map { rendition in
      let values = rendition.values
      let new = values.bytes[.video] - samples[0].renditions[rendition.id, default: 0]
      return RenditionStatus(
        id: rendition.id, users: rendition.users, format: values.tracks[.video]?.format,
        bitsPerSecond: seconds > 0 ? Double(max(0, new)) * 8 / seconds : 0,
        targetBitrate: values.targetBitrate)
    }
    let recorded = snapshot.renditions.first { $0.users.contains(Gap.recording) }?.bitsPerSecond
    snapshot.recordedBitsPerSecond = recorded.map { $0 + rates[.audio, default: 0] }
    snapshot.droppedPictures = values.droppedPictures
    snapshot.xruns = values.xruns
    if !values.sound.isEmpty {
      snapshot.audioPeak = decibels(Double(values.sound.peak))
      snapshot.audioLevel = decibels(values.sound.rootMeanSquare)
    }
    snapshot.driftPPM = values.drift
    snapshot.recordedBytes = Int64(recordedBytes)
    return snapshot
  }

  private func decibels(_ amplitude: Double) -> Double { 20 * log10(max(amplitude, 1e-6)) }
}
