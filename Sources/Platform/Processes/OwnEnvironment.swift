import Glibc
import HoldfastCPlatform

/// A variable of this process's environment; nil if it is missing or empty.
package func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

/// This machine's name as programs store it, such as X's authority files; empty if unknown.
package func localHostName() -> String {
  var name = [CChar](repeating: 0, count: 256)
  guard gethostname(&name, name.count - 1) == 0 else { return "" }
  return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}

/// The path of the program that runs.
package func ownProgram() throws(SystemError) -> String {
  var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = path.withUnsafeMutableBytes { bytes in
    bytes.withMemoryRebound(to: CChar.self) { text in
      text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? -1
    }
  }
  try check("readlink /proc/self/exe") { Int32(clamping: count) }
  return String(decoding: path.prefix(count), as: UTF8.self)
}
