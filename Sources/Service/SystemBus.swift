internal import Glibc
internal import HoldfastCSystemd
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// A connection to a message bus, of one thread. Nothing here waits: what comes is handed to closures by `process`.
final class SystemBus {
  private let bus: OpaquePointer
  /// When it must be connected at the latest.
  private let readyBy: MonotonicTime

  /// The bus of the whole machine, where the environment doesn't name another one.
  static func address(environment: [String: String]) -> String {
    environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
  }

  /// Begins to connect. What is asked before it is connected is asked then. Nobody's answer is waited for longer than
  /// `patience`.
  init(address: String, patience: MediaTime) throws(BusError) {
    var new: OpaquePointer?
    try checkBus("sd_bus_new", sd_bus_new(&new))
    guard let new else { throw BusError("sd_bus_new", code: -ENOMEM) }
    do throws(BusError) {
      try checkBus("sd_bus_set_address", sd_bus_set_address(new, address))
      try checkBus("sd_bus_set_bus_client", sd_bus_set_bus_client(new, 1))
      try checkBus("sd_bus_negotiate_fds", sd_bus_negotiate_fds(new, 1))
      let timeout = UInt64(max(1, patience.nanoseconds / 1000))
      try checkBus("sd_bus_set_method_call_timeout", sd_bus_set_method_call_timeout(new, timeout))
      try checkBus("sd_bus_start", sd_bus_start(new))
    } catch {
      sd_bus_unref(new)
      throw error
    }
    bus = new
    readyBy = .now + patience
  }

  deinit {
    // Without flushing, which would wait.
    sd_bus_close_unref(bus)
  }

  /// False once it is closed, or about to be.
  var isOpen: Bool { sd_bus_is_open(bus) > 0 }

  /// Connected.
  var isReady: Bool { sd_bus_is_ready(bus) > 0 }

  /// Asks, and gives the answer to `onReply`; no answer in time is an error, too.
  func ask(_ call: BusCall, _ onReply: @escaping (Result<BusMessage, BusError>) -> Void) throws(BusError) {
    let message = try Self.message(call, on: bus)
    defer { sd_bus_message_unref(message) }
    let receiver = BusReceiver { message in
      onReply(BusError(message).map { .failure($0) } ?? .success(message))
    }
    // 0 is the connection's own limit.
    try receiver.attach("ask \(call.method)") { slot, callback, context in
      sd_bus_call_async(bus, slot, message, callback, context, 0)
    }
  }

  /// Gives every signal that fits the match rule to `onSignal`, for as long as the connection lasts.
  func listen(_ rule: String, _ onSignal: @escaping (BusMessage) -> Void) throws(BusError) {
    try BusReceiver(onSignal).attach("listen") { slot, callback, context in
      sd_bus_add_match_async(bus, slot, rule, callback, Self.ignoreAnswer, context)
    }
  }

  /// Without it a refusal to listen would close the connection.
  private static let ignoreAnswer: sd_bus_message_handler_t = { _, _, _ in 0 }

  /// Waits until there is something to process, `stop` is signalled, or it is `time`.
  func wait(until stop: Wakeup, or time: MonotonicTime?) throws(SystemError) {
    var microseconds = UInt64.max
    sd_bus_get_timeout(bus, &microseconds)
    // The end of time is no deadline.
    let timeout = Int64(exactly: microseconds).flatMap { $0 < .max / 1000 ? $0 * 1000 : nil }
    let deadlines = [timeout.map(MonotonicTime.init(nanoseconds:)), time, isReady ? nil : readyBy]
    var poller = Poller()
    poller.add(stop.descriptor)
    poller.add(sd_bus_get_fd(bus), toWrite: sd_bus_get_events(bus) & POLLOUT != 0)
    try poller.wait(until: deadlines.compactMap { $0 }.min())
  }

  /// Hands on what has come. It throws when the connection is over.
  func process() throws(BusError) {
    // Bounded, so that a bus that never falls silent doesn't keep its thread from stopping.
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
