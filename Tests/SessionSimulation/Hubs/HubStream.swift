import HoldfastHTTP
import HoldfastHub
import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import HoldfastStores
import TestVirtualTime

/// A stream of events from a hub to somebody who reads it, in order, each event some time later.
final class HubStream {
  unowned let reader: Endpoint
  unowned let hub: HubNode
  let name: Session.Name
  let number: Int
  /// Among all.
  let serial: Int
  /// The reader's.
  private let process: Int
  private var stream: SessionEventStream
  private let latency: Int64
  private let opened: Int64
  private(set) var isOpen = true
  private var isAccepted = false
  /// The last event that has arrived.
  private(set) var cursor: EventID?

  init(
    _ stream: SessionEventStream, to reader: Endpoint, _ number: Int, from hub: HubNode, of name: Session.Name
  ) {
    self.stream = stream
    self.reader = reader
    self.number = number
    self.hub = hub
    self.name = name
    process = reader.process
    opened = hub.world.now
    serial = hub.world.newSerial()
    latency = hub.world.randomness.time(.ms(1), .ms(60))
  }

  private var world: SessionWorld { hub.world }

  /// The reader has got the answer to its request.
  func accept() {
    isAccepted = true
    pump()
  }

  /// Sends what there is.
  func pump() {
    guard isOpen, isAccepted, reader.process == process else {
      if world.now - opened > .s(10) { close() }
      return
    }
    var frames: [EventFrame] = []
    var isOver = false
    loop: while true {
      switch stream.next(at: world.clock) {
      case .bytes(let bytes): if let frame = EventFrame(bytes) { frames.append(frame) }
      case .nothing: break loop
      case .over:
        isOver = true
        break loop
      }
    }
    if isOver { hub.remove(self) }
    if world.mutation == .skipsEvents, frames.count > 1 { frames.removeFirst() }
    guard !frames.isEmpty || isOver else { return }
    world.after(latency) { [self] in
      guard isOpen, reader.process == process else { return }
      for frame in frames where isOpen { arrive(frame) }
      if isOver, isOpen {
        isOpen = false
        reader.streamEnded(number)
      }
    }
  }

  private func arrive(_ frame: EventFrame) {
    let data = hub.monitor.arrived(frame, after: cursor, at: self)
    if let id = frame.id { cursor = id }
    reader.streamed(number, HubEvent(id: frame.id.map { "\($0)" }, name: frame.name, data: data))
  }

  /// The reader doesn't want it any more.
  func close() {
    isOpen = false
    hub.remove(self)
  }

  /// The connection breaks; the reader notices it later.
  func lose(after delay: Int64) {
    guard isOpen else { return }
    isOpen = false
    hub.remove(self)
    world.after(delay) { [self] in
      if reader.process == process { reader.streamEnded(number) }
    }
  }
}

/// One server-sent event.
struct EventFrame {
  private(set) var id: EventID?
  private(set) var name = ""
  private(set) var data = ""

  /// Nil for a comment, or a greeting.
  init?(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).utf8.split(separator: 0x0A) {
      let line = Substring(line)
      if line.hasPrefix("data: ") {
        data += line.dropFirst(6)
      } else if line.hasPrefix("event: ") {
        name = String(line.dropFirst(7))
      } else if line.hasPrefix("id: ") {
        id = EventID(String(line.dropFirst(4)))
      }
    }
    if name.isEmpty { return nil }
  }
}
