/// A question to an object on the bus; all arguments are texts.
struct BusCall {
  let destination: String
  let path: String
  let interface: String
  let method: String
  let arguments: [String]

  static func property(_ name: String, of interface: String, at path: String, destination: String) -> BusCall
  {
    BusCall(
      destination: destination, path: path, interface: "org.freedesktop.DBus.Properties", method: "Get",
      arguments: [interface, name])
  }

  static func properties(of interface: String, at path: String, destination: String) -> BusCall {
    BusCall(
      destination: destination, path: path, interface: "org.freedesktop.DBus.Properties", method: "GetAll",
      arguments: [interface])
  }
}
