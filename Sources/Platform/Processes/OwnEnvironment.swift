import Glibc

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
