import Glibc
import HoldfastCSystemd
import HoldfastPlatform

/// A message from the bus, read sequentially; valid only during its handler.
struct BusMessage {
  let raw: OpaquePointer

  var path: String { sd_bus_message_get_path(raw).map { String(cString: $0) } ?? "" }
  var member: String { sd_bus_message_get_member(raw).map { String(cString: $0) } ?? "" }

  func readString() throws(BusError) -> String { try readText("s") }

  func readPath() throws(BusError) -> String { try readText("o") }

  private func readText(_ type: Unicode.Scalar) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try read(type, into: &text)
    return text.map { String(cString: $0) } ?? ""
  }

  func readBool() throws(BusError) -> Bool {
    var value: Int32 = 0
    try read("b", into: &value)
    return value != 0
  }

  /// Duplicates the descriptor, as the message closes its own.
  func readDescriptor() throws(BusError) -> FileDescriptor {
    var descriptor: Int32 = -1
    try read("h", into: &descriptor)
    do { return try FileDescriptor.duplicate(descriptor) } catch {
      throw BusError(name: error.operation, reason: error.reason)
    }
  }

  /// The boolean properties of an `a{sv}`.
  func readBools() throws(BusError) -> [String: Bool] {
    var found: [String: Bool] = [:]
    try enter("a", "{sv}")
    while try enter("e", "sv") {
      let name = try readString()
      if try isNext("v", "b") {
        found[name] = try readVariantBool()
      } else {
        try checkBus("skip", sd_bus_message_skip(raw, "v"))
      }
      try exit()
    }
    try exit()
    return found
  }

  func readVariantBool() throws(BusError) -> Bool {
    try enter("v", "b")
    let value = try readBool()
    try exit()
    return value
  }

  /// The name and path in a variant `(so)`.
  func readVariantObject() throws(BusError) -> (name: String, path: String) {
    try enter("v", "(so)")
    try enter("r", "so")
    let object = (name: try readString(), path: try readPath())
    try exit()
    try exit()
    return object
  }

  private func read<Value>(_ type: Unicode.Scalar, into value: inout Value) throws(BusError) {
    let code = withUnsafeMutablePointer(to: &value) {
      sd_bus_message_read_basic(raw, CChar(truncatingIfNeeded: type.value), $0)
    }
    // 0 means the end of the message.
    if try checkBus("read", code) == 0 { throw BusError("read", code: -ENXIO) }
  }

  /// False at the end of the enclosing container.
  @discardableResult
  private func enter(_ type: Unicode.Scalar, _ contents: String) throws(BusError) -> Bool {
    let code = sd_bus_message_enter_container(raw, CChar(truncatingIfNeeded: type.value), contents)
    return try checkBus("enter", code) > 0
  }

  private func exit() throws(BusError) { try checkBus("exit", sd_bus_message_exit_container(raw)) }

  private func isNext(_ type: Unicode.Scalar, _ contents: String) throws(BusError) -> Bool {
    let code = sd_bus_message_verify_type(raw, CChar(truncatingIfNeeded: type.value), contents)
    return try checkBus("look", code) > 0
  }
}
