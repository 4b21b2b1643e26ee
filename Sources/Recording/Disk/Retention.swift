package import HoldfastMediaModel
package import HoldfastPlatform

/// How long finished recordings are kept, and how much of them.
package struct Retention: Hashable, Sendable {
  /// Maximum time since the last write; nil for no limit.
  package var age: MediaTime?
  /// Maximum total size on disk, in bytes; nil for no limit.
  package var size: Int?

  package init(age: MediaTime? = nil, size: Int? = nil) {
    self.age = age
    self.size = size
  }

  package var keepsAll: Bool { age == nil && size == nil }

  /// The files to delete, oldest first. Files named in `kept` stay, but count towards the size.
  package func plan(
    _ files: [OpenFolder.File], of broadcaster: String, keeping kept: Set<String>, at now: WallTime
  ) -> [OpenFolder.File] {
    let ours = files.compactMap { file in
      RecordingName(file.name, of: broadcaster).map { (file: file, name: $0) }
    }
    let oldestFirst = ours.sorted {
      ($0.file.modified, $0.name.stamp, $0.name.part) < ($1.file.modified, $1.name.stamp, $1.name.part)
    }.map(\.file)
    var total = oldestFirst.reduce(0) { $0.addingClamped($1.bytesOnDisk) }
    return oldestFirst.filter { file in
      guard !kept.contains(file.name), isTooOld(file, now) || size.map({ total > $0 }) ?? false else {
        return false
      }
      total -= file.bytesOnDisk
      return true
    }
  }

  private func isTooOld(_ file: OpenFolder.File, _ now: WallTime) -> Bool {
    guard let age else { return false }
    let (passed, overflow) = now.nanoseconds.subtractingReportingOverflow(file.modified.nanoseconds)
    return overflow ? file.modified < now : passed > age.nanoseconds
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
