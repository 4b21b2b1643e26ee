import Glibc
import HoldfastCSystemd
import HoldfastPlatform

/// A failed call over the bus: the D-Bus error name and a message.
struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  let name: String
  let reason: String

  var description: String { reason.isEmpty ? name : reason }
}

extension BusError {
  init?(_ message: BusMessage) {
    guard let error = sd_bus_message_get_error(message.raw)?.pointee, let name = error.name else {
      return nil
    }
    self.init(name: String(cString: name), reason: error.message.map { String(cString: $0) } ?? "")
  }

  /// `code` is a negative errno, as sd-bus returns it.
  init(_ operation: String, code: Int32) {
    let error = SystemError(operation: operation, code: -code)
    self.init(name: operation, reason: error.reason)
  }

  /// logind knows no such session or seat.
  var isNotFound: Bool {
    ["NoSuchSession", "NoSessionForPID", "NoSuchSeat"].contains { name == "org.freedesktop.login1.\($0)" }
      || name == "org.freedesktop.DBus.Error.UnknownObject"
  }

  /// The call has timed out.
  var isTimeout: Bool { name == "org.freedesktop.DBus.Error.NoReply" }
}

@discardableResult
func checkBus(_ operation: String, _ code: Int32) throws(BusError) -> Int32 {
  if code < 0 { throw BusError(operation, code: code) }
  return code
}
