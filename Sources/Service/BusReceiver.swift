internal import HoldfastCSystemd

/// Who a message is for. sd-bus keeps it until the answer has come, or as long as the connection.
final class BusReceiver {
  private let body: (BusMessage) -> Void

  init(_ body: @escaping (BusMessage) -> Void) {
    self.body = body
  }

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
    // The connection holds it from here on.
    sd_bus_slot_set_floating(slot, 1)
    sd_bus_slot_unref(slot)
  }

  private static let receive: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    Unmanaged<BusReceiver>.fromOpaque(context).takeUnretainedValue().body(BusMessage(raw: message))
    return 0
  }
}
