import Glibc

/// A folder for the files of a benchmark, gone afterwards.
final class Folder {
  let path: String
  private let kept = "picture.mp4"

  init() throws {
    var template = Array("/tmp/holdfast-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw MeasuredRun.Failure(description: "no folder in /tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unlink(file(name)) }
    rmdir(path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// Leaves nothing but what both read.
  func empty() throws {
    for name in names where name != kept { unlink(file(name)) }
  }

  func newestRecording() -> String? {
    names.filter { $0 != kept }.max().map(file)
  }

  private var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".mp4") { names.append(name) }
    }
    return names
  }

  static func besideThisProgram(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/" + name
  }
}
