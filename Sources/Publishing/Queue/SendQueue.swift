import HoldfastMediaModel
import HoldfastPlatform

/// The packets queued for one output, bounded by time and bytes. `offer` never blocks.
///
/// A full queue drops pictures up to the next keyframe, and sound only when no pictures are left.
final class SendQueue: Sendable {
  struct Limits: Hashable, Sendable {
    var duration = MediaTime.seconds(10)
    var bytes = 32 << 20

    var soundDuration: MediaTime { duration + duration }
  }

  enum Mode: Hashable, Sendable {
    /// Only the newest keyframe and the packets after it.
    case keepNewest
    case keepAll
  }

  private struct State {
    /// What a connection that ends in order has still to send.
    var draining = PacketLine()
    var packets = PacketLine()
    /// Sound that may belong to the first keyframe, which a busy machine encodes later.
    var early: [MediaPacket] = []
    var mode = Mode.keepNewest
    var loss = OutputLoss()
    /// Pictures are dropped until the next keyframe.
    var needsKeyframe = true
    var isClosed = false
    /// What the packets that are offered belong to.
    var tracks: [TrackKind: Track] = [:]
    /// They need a connection with other headers than the current one.
    var isCut = false
  }

  /// By how much sound may come before its keyframe, and what is kept of sound alone.
  private static let earliness = MediaTime.milliseconds(200)

  private let limits: Limits
  private let hasVideo: Bool
  private let state = Locked(State())
  private let wakeup: Wakeup

  /// `wakeup` is signalled when a packet can be taken.
  init(limits: Limits = Limits(), hasVideo: Bool, wakeup: Wakeup) {
    self.limits = limits
    self.hasVideo = hasVideo
    self.wakeup = wakeup
  }

  /// Packets that follow a change of headers wait for a connection that has begun with them.
  func offer(_ track: Track) {
    state.withLock { state in
      let old = state.tracks.updateValue(track, forKey: track.kind)
      guard let old, !old.hasSameHeaders(as: track) else { return }
      dropEarly(&state)
      if state.isCut {
        // Neither connection can carry them.
        for packet in state.packets.removeAll(of: track.kind) { state.loss.add(packet) }
      } else if state.mode == .keepAll {
        while let packet = state.packets.popFirst() { state.draining.append(packet) }
      } else {
        dropAll(&state)
      }
      state.isCut = true
      state.needsKeyframe = state.needsKeyframe || !state.packets.hasVideo
    }
  }

  func offer(_ packet: MediaPacket) {
    let isSending = state.withLock { state in
      guard !state.isClosed else { return false }
      insert(packet, into: &state)
      return state.mode == .keepAll
    }
    if isSending { wakeup.signal() }
  }

  private func insert(_ packet: MediaPacket, into state: inout State) {
    if packet.track == .video {
      if packet.isKeyframe {
        if state.mode == .keepNewest { while let old = state.packets.popFirst() { state.early.append(old) } }
        state.needsKeyframe = false
      } else if state.needsKeyframe {
        return state.loss.add(packet)
      }
    } else if hasVideo, state.packets.isEmpty, state.needsKeyframe {
      return hold(packet, &state)
    }
    state.packets.append(packet)
    if !hasVideo, state.mode == .keepNewest {
      while state.packets.span > Self.earliness, let old = state.packets.popFirst() { state.loss.add(old) }
    }
    for old in state.early {
      if old.track == .audio, old.decodeTime >= packet.decodeTime {
        state.packets.append(old)
      } else {
        state.loss.add(old)
      }
    }
    state.early = []
    while isFull(state.packets) { makeRoom(&state) }
    // Sound is kept longer than pictures.
    while state.packets.span > limits.soundDuration, let packet = state.packets.popFirst() {
      state.loss.add(packet)
    }
  }

  private func hold(_ sound: MediaPacket, _ state: inout State) {
    state.early.append(sound)
    while let first = state.early.first, sound.decodeTime - first.decodeTime > Self.earliness {
      state.loss.add(state.early.removeFirst())
    }
  }

  private func isFull(_ packets: PacketLine) -> Bool {
    packets.bytes > limits.bytes || packets.duration > limits.duration
  }

  private func makeRoom(_ state: inout State) {
    let removed = state.packets.removeRestOfGOP()
    guard removed.isEmpty else {
      for packet in removed { state.loss.add(packet) }
      state.needsKeyframe = state.needsKeyframe || !state.packets.hasVideo
      return
    }
    if let packet = state.packets.popFirst() { state.loss.add(packet) }
  }

  private func dropAll(_ state: inout State) {
    while let packet = state.packets.popFirst() { state.loss.add(packet) }
    dropEarly(&state)
  }

  private func dropEarly(_ state: inout State) {
    for packet in state.early { state.loss.add(packet) }
    state.early = []
  }

  /// Starts to keep everything, from a keyframe on; true if one is needed. `isFresh` drops a queue longer
  /// than `maxAge`. On a connection for other `tracks` than those offered nothing is taken.
  func begin(isFresh: Bool, maxAge: MediaTime, tracks: [Track] = []) -> Bool {
    let needsKeyframe = state.withLock { state in
      state.mode = .keepAll
      if state.isCut {
        state.isCut = tracks.contains { state.tracks[$0.kind]?.hasSameHeaders(as: $0) == false }
        guard !state.isCut else { return false }
        // They had an earlier connection's headers.
        dropDraining(&state)
      }
      if !hasVideo {
        if isFresh, state.packets.span > maxAge { dropAll(&state) }
        return false
      }
      for packet in state.packets.removeUntilKeyframe() { state.loss.add(packet) }
      if isFresh, state.packets.duration > maxAge {
        dropAll(&state)
        state.needsKeyframe = true
      }
      if state.packets.isEmpty { state.needsKeyframe = true }
      return state.needsKeyframe
    }
    wakeup.signal()
    return needsKeyframe
  }

  /// Ends in order: what is queued belongs to this connection, what is offered from now on to the next.
  func beginDraining(keepsWaiting: Bool) {
    state.withLock { state in
      // What is offered since a cut belongs to the next connection.
      guard !state.isCut else { return }
      dropEarly(&state)
      (state.draining, state.packets) = (state.packets, PacketLine())
      (state.mode, state.needsKeyframe) = (keepsWaiting ? .keepAll : .keepNewest, true)
    }
  }

  /// Drops what an ended connection could not send.
  func dropDraining() { state.withLock { dropDraining(&$0) } }

  private func dropDraining(_ state: inout State) {
    while let packet = state.draining.popFirst() { state.loss.add(packet) }
  }

  /// Drops what is still draining; keeps only the newest other packets, or with `keepsWaiting` all of them.
  func end(keepsWaiting: Bool) {
    state.withLock { state in
      dropDraining(&state)
      state.mode = keepsWaiting ? .keepAll : .keepNewest
      guard !keepsWaiting else { return }
      dropAll(&state)
      state.needsKeyframe = true
    }
  }

  func take() -> MediaPacket? { state.withLock { $0.isCut ? nil : $0.packets.popFirst() } }

  func takeDraining() -> MediaPacket? { state.withLock { $0.draining.popFirst() } }

  /// Packets dropped since the last `takeLoss`.
  var loss: OutputLoss { state.withLock { $0.loss } }

  /// Packets dropped since the last call.
  func takeLoss() -> OutputLoss {
    state.withLock { state in
      defer { state.loss = OutputLoss() }
      return state.loss
    }
  }

  var hasKeyframe: Bool { state.withLock { $0.packets.hasKeyframe } }
  var duration: MediaTime { state.withLock { $0.packets.duration } }
  /// The oldest packet of each track.
  var oldest: [TrackKind: MediaTime] { state.withLock { $0.packets.oldest } }
  var bytes: Int { state.withLock { $0.packets.bytes } }
  var isDraining: Bool { state.withLock { !$0.draining.isEmpty } }

  /// Accepts no more packets; queued ones can still be taken.
  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
  }
}
