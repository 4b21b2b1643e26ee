import Glibc
import HoldfastCSystemd
import HoldfastMediaModel
import HoldfastPlatform

/// A connection to a message bus, for one thread. Calls don't block; `process` passes messages to closures.
final class SystemBus {
  private let bus: OpaquePointer
  private let readyBy: MonotonicTime

  /// Starts to connect; `timeout` applies to that and to each reply. Earlier calls are sent once connected.
  init(address: String, timeout: MediaTime) throws(BusError) {
    var new: OpaquePointer?
    try checkBus("sd_bus_new", sd_bus_new(&new))
    guard let new else { throw BusError("sd_bus_new", code: -ENOMEM) }
    do throws(BusError) {
      try checkBus("sd_bus_set_address", sd_bus_set_address(new, address))
      try checkBus("sd_bus_set_bus_client", sd_bus_set_bus_client(new, 1))
      try checkBus("sd_bus_negotiate_fds", sd_bus_negotiate_fds(new, 1))
      let microseconds = UInt64(max(1, timeout.nanoseconds / 1000))
      try checkBus("sd_bus_set_method_call_timeout", sd_bus_set_method_call_timeout(new, microseconds))
      try checkBus("sd_bus_start", sd_bus_start(new))
    } catch {
      sd_bus_unref(new)
      throw error
    }
    bus = new
    readyBy = .now + timeout
  }

  deinit {
    // Flushing would block.
    sd_bus_close_unref(bus)
  }

  var isOpen: Bool { sd_bus_is_open(bus) > 0 }

  var isReady: Bool { sd_bus_is_ready(bus) > 0 }

  /// Calls a method; `onReply` receives the reply or a timeout.
  func call(_ call: BusCall, _ onReply: @escaping (Result<BusMessage, BusError>) -> Void) throws(BusError) {
    let message = try Self.message(call, on: bus)
    defer { sd_bus_message_unref(message) }
    let receiver = BusReceiver { message in
      onReply(BusError(message).map { .failure($0) } ?? .success(message))
    }
    // 0 selects the connection's timeout.
    try receiver.attach("ask \(call.method)") { slot, callback, context in
      sd_bus_call_async(bus, slot, message, callback, context, 0)
    }
  }

  /// Passes every signal that matches `rule` to `onSignal` while the connection lasts.
  func listen(_ rule: String, _ onSignal: @escaping (BusMessage) -> Void) throws(BusError) {
    try BusReceiver(onSignal).attach("listen") { slot, callback, context in
      sd_bus_add_match_async(bus, slot, rule, callback, Self.ignoreAnswer, context)
    }
  }

  /// Without a handler, a refused match rule would close the connection.
  private static let ignoreAnswer: sd_bus_message_handler_t = { _, _, _ in 0 }

  /// Waits for messages, `stop` or `time`.
  func wait(until stop: Wakeup, or time: MonotonicTime?) throws(SystemError) {
    var microseconds = UInt64.max
    sd_bus_get_timeout(bus, &microseconds)
    // The maximum means no deadline.
    let timeout = Int64(exactly: microseconds).flatMap { $0 < .max / 1000 ? $0 * 1000 : nil }
    let deadlines = [timeout.map(MonotonicTime.init(nanoseconds:)), time, isReady ? nil : readyBy]
    var poller = Poller()
    poller.add(stop.descriptor)
    poller.add(sd_bus_get_fd(bus), toWrite: sd_bus_get_events(bus) & POLLOUT != 0)
    try poller.wait(until: deadlines.compactMap { $0 }.min())
  }

  /// Handles received messages; throws when the connection has ended.
  func process() throws(BusError) {
    // Bounded, so that a busy bus can't delay a stop.
    for _ in 0..<100 {
      if try checkBus("the bus", sd_bus_process(bus, nil)) == 0 { break }
    }
    guard isOpen else { throw BusError("the bus", code: -ECONNRESET) }
    if !isReady, MonotonicTime.now >= readyBy { throw BusError("the bus", code: -ETIMEDOUT) }
  }

  private static func message(_ call: BusCall, on bus: OpaquePointer) throws(BusError) -> OpaquePointer {
    var new: OpaquePointer?
    let code = sd_bus_message_new_method_call(
      bus, &new, call.destination, call.path, call.interface, call.method)
    try checkBus("ask \(call.method)", code)
    guard let new else { throw BusError("ask \(call.method)", code: -ENOMEM) }
    do throws(BusError) {
      for argument in call.arguments {
        try checkBus("append", sd_bus_message_append_basic(new, CChar(UInt8(ascii: "s")), argument))
      }
    } catch {
      sd_bus_message_unref(new)
      throw error
    }
    return new
  }
}

/// A method call on the bus; all arguments are strings.
struct BusCall {
  let destination: String
  let path: String
  let interface: String
  let method: String
  let arguments: [String]
}

/// A message handler, which sd-bus keeps until the reply has arrived, or as long as the connection.
final class BusReceiver {
  private let body: (BusMessage) -> Void

  init(_ body: @escaping (BusMessage) -> Void) { self.body = body }

  typealias Slot = UnsafeMutablePointer<OpaquePointer?>

  func attach(
    _ operation: String, _ call: (Slot, sd_bus_message_handler_t, UnsafeMutableRawPointer) -> Int32
  ) throws(BusError) {
    let kept = Unmanaged.passRetained(self)
    var slot: OpaquePointer?
    let code = call(&slot, Self.receive, kept.toOpaque())
    guard code >= 0, let slot else {
      kept.release()
      throw BusError(operation, code: code)
    }
    sd_bus_slot_set_destroy_callback(slot) { context in
      if let context { Unmanaged<BusReceiver>.fromOpaque(context).release() }
    }
    // From here on the connection owns the handler.
    sd_bus_slot_set_floating(slot, 1)
    sd_bus_slot_unref(slot)
  }

  private static let receive: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    Unmanaged<BusReceiver>.fromOpaque(context).takeUnretainedValue().body(BusMessage(raw: message))
    return 0
  }
}
