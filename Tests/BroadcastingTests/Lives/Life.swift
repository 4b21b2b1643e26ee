import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import TestRandomness
import TestSupport

@testable import HoldfastBroadcasting
@testable import HoldfastRecording

/// A broadcast from its first picture to its end, in its own time: simulated devices, the real timeline,
/// picture machine, recorder and recovery, and real files with their journal.
final class Life {
  let plan: LifePlan
  let folder: String
  private(set) var lines: [String] = []
  /// Packets offered to a recorder, and packets it reported as lost.
  private(set) var offered: [TrackKind: Int] = [:]
  private(set) var told: [TrackKind: Int] = [:]
  private(set) var hasCrashed = false
  private(set) var deleted: Set<String> = []

  /// Nanoseconds since the life began.
  private var now: Int64 = 0
  private var bootedAt = -Int64.second
  private var boot = 1
  private var media: LifeMedia
  private var recorder: LifeRecorder
  private let disk = Locked(LifeDisk())
  private let settings: RecorderSettings
  private var ledger = GapLedger(gaps: [], interruptions: [])
  private var jitter: SplitMix64
  private var nextPicture: Int64 = 0
  private var stamps: [(at: Int64, number: Int64)] = []
  private var resumption: MediaTime?
  private var resumesAt: Int64?
  private var nextCheckpoint: Int64 = 0
  private var lostPictures = 0
  private var silentUntil: Int64 = 0
  private var cameraLost: Range<Int64> = 0..<0
  private var slowUntil: Int64 = 0
  /// Entries and requests of the recorder.
  private let said = Locked(Said())

  private struct Said: Sendable {
    var entries: [JournalEntry] = []
    var losses: [Recorder.Loss] = []
    var files: [String] = []
    var wantsKeyframe = false
  }

  private static let tick: Int64 = 10_000_000

  init(_ plan: LifePlan, seed: UInt64, in folder: String) throws {
    self.plan = plan
    self.folder = folder
    jitter = SplitMix64(seed: seed)
    var settings = RecorderSettings()
    settings.queue = .seconds(1)
    settings.segment = plan.segment
    settings.disk = DiskLimits(reserve: 1 << 20)
    settings.waitsForRoom = true
    self.settings = settings
    let timeline = try Timeline(tracks: plan.tracks)
    media = LifeMedia(plan, timeline)
    recorder = try Self.recorder(
      .new(Self.path(0, in: folder)), plan, settings, disk, timeline, said, in: folder)
    begin()
    write(.began(.init(broadcast: "20261121T042210Z-1a2b", name: "hall")))
    write(.live(.record))
    media.timeline.run(from: instant.monotonic)
  }

  private static func path(_ number: Int, in folder: String) -> String {
    let digits = "\(100 + number)".dropFirst()
    return "\(folder)/hall-20261121T0422\(digits)Z.mp4"
  }

  private static func recorder(
    _ destination: Recorder.Destination, _ plan: LifePlan, _ settings: RecorderSettings,
    _ disk: Locked<LifeDisk>, _ timeline: Timeline, _ said: Locked<Said>, in folder: String
  ) throws -> LifeRecorder {
    var callbacks = Recorder.Callbacks()
    callbacks.journal = { path, _, origin in
      said.withLock {
        $0.entries.append(.recording(path: path, tracks: "ab12", origin: origin))
        if !$0.files.contains(path) { $0.files.append(path) }
      }
    }
    callbacks.nextPath = {
      let isRefused = disk.withLock { disk in
        defer { disk.refusesNextFile = false }
        return disk.refusesNextFile
      }
      return isRefused ? folder : path(said.withLock { $0.files.count }, in: folder)
    }
    callbacks.requestKeyframe = { said.withLock { $0.wantsKeyframe = true } }
    if plan.keepsGaps { callbacks.standstill = { timeline.stoppedTime(before: $0) } }
    return try LifeRecorder(destination, tracks: plan.tracks, settings, on: disk, callbacks) { event in
      if case .lost(let loss) = event { said.withLock { $0.losses.append(loss) } }
    }
  }

  private func begin() {
    for kind in plan.tracks.sorted(by: { $0.rawValue > $1.rawValue }) {
      recorder.offer(kind == .video ? SampleTracks.video : LifeMedia.soundTrack(plan.sound))
    }
  }

  private var instant: Instant { instant(at: now) }

  private func instant(at time: Int64) -> Instant {
    Instant(
      monotonic: MonotonicTime(nanoseconds: time - bootedAt),
      sinceBoot: MediaTime(nanoseconds: time - bootedAt),
      wall: WallTime(nanoseconds: 1_795_234_930_000_000_000 + time))
  }

  private var journalInstant: JournalInstant {
    JournalInstant(wall: instant.wall, sinceBoot: instant.sinceBoot, bootID: "boot-\(boot)")
  }

  private func write(_ entry: JournalEntry, at instant: JournalInstant? = nil) {
    lines.append("\(JournalRecord(at: instant ?? journalInstant, entry))")
  }

  /// The names of the files that the journal has.
  var files: [String] { said.withLock { $0.files }.filter { $0 != folder && fileExists($0) } }

  // MARK: - Its course

  func run() throws {
    var troubles = plan.troubles[...]
    while now < plan.length * 1_000_000 {
      while let next = troubles.first, next.at * 1_000_000 <= now {
        troubles.removeFirst()
        try begin(next.1)
      }
      step()
    }
    disk.withLock { $0 = .init() }
    slowUntil = 0
    step()
    perform(media.finish())
    var end = instant
    recorder.finish(at: &end)
    note()
    write(.ended(.init(reason: "stopped")))
  }

  private func step() {
    now += Self.tick
    if resumesAt.map({ $0 <= now }) ?? false {
      resumesAt = nil
      media.requestKeyframe()
      media.timeline.run(from: instant.monotonic)
    }
    if plan.tracks.contains(.audio), now > silentUntil {
      perform(media.sound(instant(at: now - Self.tick).monotonic..<instant.monotonic))
    }
    if plan.tracks.contains(.video) { showPictures() }
    if now >= slowUntil { recorder.run(at: instant) }
    note()
    if now >= nextCheckpoint, media.timeline.start != nil {
      nextCheckpoint = now + .second
      write(.checkpoint(media.timeline.mediaTime(at: instant.monotonic)))
    }
  }

  private func showPictures() {
    while nextPicture * .second / 30 <= now {
      let late = plan.jitter > 0 && !plan.isCopied ? jitter.number(0...plan.jitter) : 0
      stamps.append((nextPicture * .second / 30 + late, nextPicture))
      nextPicture += 1
    }
    while let stamp = stamps.first, stamp.at <= now {
      stamps.removeFirst()
      let isStandIn = cameraLost.contains(stamp.at)
      // Without a picture for a second, a camera counts as lost.
      let isSilent = isStandIn && stamp.at < cameraLost.lowerBound + .second
      if isSilent || lostPictures > 0 && !isStandIn {
        if !isSilent { lostPictures -= 1 }
        lostNow += 1
        continue
      }
      perform(
        media.picture(
          stamp.number, at: instant(at: stamp.at).monotonic, isStandIn: isStandIn,
          lost: isStandIn ? 0 : lostNow))
      lostNow = 0
    }
  }

  private var lostNow = 0

  private func perform(_ actions: [LifeMedia.Action]) {
    for action in actions {
      switch action {
      case .packet(let packet):
        offered[packet.track, default: 0] += 1
        recorder.offer(packet, at: instant)
      case .lost(let loss): write(.gap(ledger.add(loss, at: instant)))
      case .started: started()
      }
    }
  }

  private func started() {
    guard let start = media.timeline.start else { return }
    ledger.clock.begin(start, at: instant)
    guard let resumption else { return }
    self.resumption = nil
    var instant = journalInstant
    let ago = self.instant.monotonic - start.at
    instant.wall = instant.wall - ago
    instant.sinceBoot = instant.sinceBoot - ago
    write(.resumed(mediaAt: resumption >= .zero ? resumption : start.mediaTime), at: instant)
  }

  /// Writes what the recorder has said.
  private func note() {
    let said = said.withLock { said in
      defer { (said.entries, said.losses, said.wantsKeyframe) = ([], [], false) }
      return said
    }
    if said.wantsKeyframe, !plan.isCopied { media.requestKeyframe() }
    for entry in said.entries { write(entry) }
    for loss in said.losses {
      told[loss.track, default: 0] += loss.packets
      write(.gap(ledger.add(TrackLoss(loss), at: instant)))
    }
  }

  // MARK: - Troubles

  private func begin(_ trouble: LifePlan.Trouble) throws {
    switch trouble {
    case .interruption(let length):
      guard resumption == nil, media.timeline.start != nil else { return }
      interrupt()
      resumesAt = now + length * 1_000_000
    case .pictures(let count): lostPictures += count
    case .sound(let length, let cause): loseSound(length * 1_000_000, cause)
    case .camera(let length):
      guard !plan.isCopied, !cameraLost.contains(now) else { return }
      cameraLost = now..<now + length * 1_000_000
    case .slowDisk(let length): slowUntil = max(slowUntil, now + length * 1_000_000)
    case .fullDisk(let length): try breakDisk(for: length) { $0.isFull = $1 }
    case .brokenDisk(let length): try breakDisk(for: length) { $0.isBroken = $1 }
    case .deletedFile:
      guard let path = files.last else { return }
      deleted.insert(path)
      removeFile(path)
    case .noNextFile: disk.withLock { $0.refusesNextFile = true }
    case .crash(let length, let cut, let reboots): try crash(length * 1_000_000, cut: cut, reboots: reboots)
    }
  }

  private func interrupt() {
    media.timeline.pause(at: instant.monotonic)
    let before = journalInstant
    for _ in 0..<8 { step() }
    media.timeline.pauseWithoutPicture()
    media.soundStopped()
    recorder.flush()
    if now >= slowUntil { recorder.run(at: instant) }
    note()
    resumption = .zero - .seconds(1)
    write(
      .interrupted(
        cause: "user", mediaAt: media.timeline.mediaTime(at: instant.monotonic), resumableUntil: nil),
      at: before)
  }

  private func loseSound(_ length: Int64, _ cause: Gap.Cause) {
    guard plan.tracks.contains(.audio), media.timeline.start != nil, resumption == nil else { return }
    silentUntil = now + length
    let loss = TrackLoss(
      track: .audio, cause: cause, mediaAt: media.soundTime, duration: MediaTime(nanoseconds: length))
    write(.gap(ledger.add(loss, at: instant(at: silentUntil))))
  }

  private func breakDisk(for length: Int64, _ change: (inout LifeDisk, Bool) -> Void) throws {
    disk.withLock { change(&$0, true) }
    let end = now + length * 1_000_000
    while now < end { step() }
    disk.withLock { change(&$0, false) }
  }

  private func crash(_ length: Int64, cut: Int, reboots: Bool) throws {
    // What a process has not measured yet when it dies is not in its journal.
    guard media.timeline.start != nil || resumption != nil, slowUntil <= now, !cameraLost.contains(now)
    else { return }
    hasCrashed = true
    let path = files.last
    recorder = try Self.recorder(
      .new("\(folder)/none"), plan, settings, disk, media.timeline, said, in: folder)
    if let path, !deleted.contains(path) {
      let file = try FileDescriptor.openForUpdating(path)
      let head = try FragmentedFile(path: path).headLength
      try file.truncate(to: max(head, try file.size() - cut))
    }
    now += length
    if reboots {
      boot += 1
      bootedAt = now - min(length, .second)
    }
    let journal = Journal(Array((lines.joined(separator: "\n") + "\n").utf8))
    guard let broadcast = UnfinishedBroadcast(journal) else { return }
    var configuration = Configuration()
    configuration.recording.directory = folder
    configuration.audio.codec = plan.sound
    let resumed = ResumedBroadcast(broadcast, configuration) { _ in }
    for file in files where file != resumed.recording?.path {
      if try FragmentedFile(path: file).tail != .index { _ = try? FragmentedFile.finish(file) }
    }
    if broadcast.interruption == nil {
      write(
        .interrupted(cause: Interruption.crash, mediaAt: resumed.mediaEnd, resumableUntil: nil),
        at: resumed.since)
    }
    let timeline = try Timeline(
      tracks: plan.tracks, start: resumed.mediaEnd, base: resumed.base,
      stoppedSince: instant.monotonic - resumed.length(until: journalInstant))
    media = LifeMedia(plan, timeline)
    guard let destination = resumed.recording else { return }
    recorder = try Self.recorder(destination, plan, settings, disk, timeline, said, in: folder)
    said.withLock { if !$0.files.contains(destination.path) { $0.files.append(destination.path) } }
    begin()
    (resumption, resumesAt, silentUntil, lostPictures, lostNow) = (resumed.mediaEnd, nil, 0, 0, 0)
    cameraLost = 0..<0
    nextPicture = now * 30 / .second + 1
    stamps = []
    timeline.run(from: instant.monotonic)
  }
}

extension Int64 {
  static let second: Int64 = 1_000_000_000
}
