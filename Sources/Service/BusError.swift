internal import Glibc
internal import HoldfastCSystemd
internal import HoldfastPlatform

/// What went wrong with a call over the bus: its name on the bus, and a sentence.
struct BusError: Error, Hashable, Sendable {
  let name: String
  let reason: String

  init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }

  /// Of a reply, where it is an error.
  init?(_ message: BusMessage) {
    guard let error = sd_bus_message_get_error(message.raw)?.pointee, let name = error.name else {
      return nil
    }
    self.init(name: String(cString: name), reason: error.message.map { String(cString: $0) } ?? "")
  }

  /// sd-bus says -errno.
  init(_ operation: String, code: Int32) {
    let error = SystemError(operation: operation, code: -code)
    self.init(name: operation, reason: error.reason)
  }

  /// There is no such session or seat, as logind says it; other errors say nothing of that.
  var isAbsence: Bool {
    ["NoSuchSession", "NoSessionForPID", "NoSuchSeat"].contains { name == "org.freedesktop.login1.\($0)" }
      || name == "org.freedesktop.DBus.Error.UnknownObject"
  }

  /// The other side is there, but has not answered in time.
  var isSilence: Bool { name == "org.freedesktop.DBus.Error.NoReply" }
}

extension BusError: CustomStringConvertible {
  var description: String { reason.isEmpty ? name : reason }
}

/// Runs a call of sd-bus, which answers -errno on failure.
@discardableResult
func checkBus(_ operation: String, _ code: Int32) throws(BusError) -> Int32 {
  if code < 0 { throw BusError(operation, code: code) }
  return code
}
