import HoldfastMediaModel
import HoldfastPlatform

/// Gives an output the pictures of one of several encodes, and changes from one to another between two pictures.
final class PacketSwitch: Sendable {
  private struct State {
    var source: RenditionID
    /// Its first picture.
    var begin = MediaTime.zero
    /// The encode to change to, and its first picture.
    var next: (source: RenditionID, from: MediaTime)?
    /// Pictures of the next encode, until the present one has delivered all before them.
    var held: [MediaPacket] = []
    /// Nothing follows from the present one.
    var hasEnded = false
  }

  private struct Port: PacketReceiver {
    let packets: PacketSwitch
    let source: RenditionID

    func offer(_ track: Track) { packets.offer(track, from: source) }
    func offer(_ packet: MediaPacket) { packets.offer(packet, from: source) }
  }

  /// An encode this far behind has stopped.
  private static let maxHeld = 60

  private let output: any PacketReceiver
  private let original: RenditionID
  private let state: Locked<State>

  init(to output: any PacketReceiver, from source: RenditionID) {
    self.output = output
    original = source
    state = Locked(State(source: source))
  }

  /// Receives the packets of `source`.
  func port(for source: RenditionID) -> any PacketReceiver { Port(packets: self, source: source) }

  /// Changes to `source` with its picture at `time`, which it must be able to begin with; only its headers may differ.
  func change(to source: RenditionID, from time: MediaTime) {
    state.withLock { state in
      if state.next != nil { finishChange(&state) }
      if state.source != source { state.next = (source, time) }
      if state.hasEnded { finishChange(&state) }
    }
  }

  /// `source` has delivered everything.
  func end(of source: RenditionID) {
    state.withLock { state in
      guard state.source == source else { return }
      state.hasEnded = true
      finishChange(&state)
    }
  }

  private func offer(_ track: Track, from source: RenditionID) {
    if source == original { output.offer(track) }
  }

  /// Passes packets on under the lock, because they come from two threads and have an order; `offer` never blocks.
  private func offer(_ packet: MediaPacket, from source: RenditionID) {
    state.withLock { state in
      if source == state.source, packet.presentationTime < state.begin { return }
      guard let next = state.next else {
        if source == state.source { output.offer(packet) }
        return
      }
      // Encoders may differ in the delay of their decode times.
      let isBefore = packet.presentationTime < next.from
      if source == next.source {
        if !isBefore { state.held.append(packet) }
        if state.held.count > Self.maxHeld { finishChange(&state) }
      } else if source == state.source {
        if isBefore { output.offer(packet) } else { finishChange(&state) }
      }
    }
  }

  private func finishChange(_ state: inout State) {
    guard let next = state.next.take() else { return }
    (state.source, state.begin, state.hasEnded) = (next.source, next.from, false)
    for packet in state.held { output.offer(packet) }
    state.held = []
  }
}
