import HoldfastMediaModel
import HoldfastPlatform

/// The packets that wait for one output, bounded by time and by bytes. `offer` never blocks.
///
/// When it is full, pictures go first, always up to the next keyframe; sound goes only when no pictures are left.
final class SendQueue: Sendable {
  struct Limits: Hashable, Sendable {
    var duration = MediaTime.seconds(10)
    var bytes = 32 << 20

    var soundDuration: MediaTime { duration + duration }
  }

  /// How what comes in is kept.
  enum Mode: Hashable, Sendable {
    /// Only the newest keyframe and what follows it, so that a receiver can begin there.
    case keepNewest
    case keepAll
  }

  private struct State {
    var packets = PacketLine()
    var mode = Mode.keepNewest
    var loss = OutputLoss()
    /// Pictures are of no use before the next keyframe.
    var needsKeyframe = true
    var isClosed = false
  }

  private let limits: Limits
  private let hasVideo: Bool
  private let state = Locked(State())
  private let wakeup: Wakeup

  /// `wakeup` is signalled when something can be taken.
  init(limits: Limits = Limits(), hasVideo: Bool, wakeup: Wakeup) {
    self.limits = limits
    self.hasVideo = hasVideo
    self.wakeup = wakeup
  }

  func offer(_ packet: MediaPacket) {
    let isToBeSent = state.withLock { state in
      guard !state.isClosed else { return false }
      take(packet, into: &state)
      return state.mode == .keepAll
    }
    if isToBeSent { wakeup.signal() }
  }

  private func take(_ packet: MediaPacket, into state: inout State) {
    if packet.track == .video {
      if packet.isKeyframe {
        if state.mode == .keepNewest { forgetAll(&state) }
        state.needsKeyframe = false
      } else if state.needsKeyframe {
        return state.loss.add(packet)
      }
    } else if hasVideo, state.packets.isEmpty, state.needsKeyframe {
      // Sound that comes before the first picture has nothing to be heard with.
      return state.loss.add(packet)
    } else if !hasVideo, state.mode == .keepNewest {
      forgetAll(&state)
    }
    state.packets.append(packet)
    while isFull(state.packets) { makeRoom(&state) }
    // Sound outlives its pictures, but not for ever.
    while state.packets.span > limits.soundDuration, let packet = state.packets.popFirst() {
      state.loss.add(packet)
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

  private func forgetAll(_ state: inout State) {
    while let packet = state.packets.popFirst() { state.loss.add(packet) }
  }

  /// Keeps everything from now on, beginning with a keyframe; true when one has to be requested. `isFresh` leaves out what
  /// waits already, unless it is no older than `freshness`.
  func begin(isFresh: Bool, freshness: MediaTime) -> Bool {
    let needsKeyframe = state.withLock { state in
      state.mode = .keepAll
      if !hasVideo {
        if isFresh { forgetAll(&state) }
        return false
      }
      for packet in state.packets.removeUntilKeyframe() { state.loss.add(packet) }
      if isFresh, state.packets.duration > freshness {
        forgetAll(&state)
        state.needsKeyframe = true
      }
      if state.packets.isEmpty { state.needsKeyframe = true }
      return state.needsKeyframe
    }
    wakeup.signal()
    return needsKeyframe
  }

  /// Keeps only the newest packets for now, or with `keepsWaiting` everything.
  func pause(keepsWaiting: Bool) {
    state.withLock { state in
      state.mode = keepsWaiting ? .keepAll : .keepNewest
      guard !keepsWaiting else { return }
      forgetAll(&state)
      state.needsKeyframe = true
    }
  }

  func take() -> MediaPacket? {
    state.withLock { $0.packets.popFirst() }
  }

  /// What was left out since the last call.
  func takeLoss() -> OutputLoss {
    state.withLock { state in
      defer { state.loss = OutputLoss() }
      return state.loss
    }
  }

  /// How much time lies between the oldest packet and the newest.
  var duration: MediaTime { state.withLock { $0.packets.duration } }
  var bytes: Int { state.withLock { $0.packets.bytes } }
  var isEmpty: Bool { state.withLock { $0.packets.isEmpty } }

  /// Nothing more goes in; what is inside can still be taken.
  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
  }
}
