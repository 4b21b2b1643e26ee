import HoldfastMediaModel

/// The readable content of a journal's file. Accepts any bytes.
package struct Journal: Hashable, Sendable {
  /// Without unreadable lines and repetitions.
  package private(set) var records: [JournalRecord] = []
  /// Damaged or foreign lines, or too long ones.
  package private(set) var garbledLines = 0
  /// Lines of a later version.
  package private(set) var unknownLines = 0
  /// The last line is incomplete, as after a power cut.
  package private(set) var isTorn = false

  static let lineLimit = 64 * 1024

  package init(_ bytes: [UInt8]) {
    var seen: Set<JournalRecord> = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 0x0A)
      add(bytes[start..<(end ?? bytes.endIndex)], isWhole: end != nil, &seen)
      start = end.map { $0 + 1 } ?? bytes.endIndex
    }
  }

  private mutating func add(_ line: ArraySlice<UInt8>, isWhole: Bool, _ seen: inout Set<JournalRecord>) {
    guard !line.isEmpty else { return }
    do throws(JournalLine.Failure) {
      guard line.count <= Self.lineLimit else { throw .garbled }
      let record = try JournalLine(line).record
      if seen.insert(record).inserted { records.append(record) }
    } catch {
      switch error {
      case .unknown: unknownLines += 1
      case .garbled where isWhole: garbledLines += 1
      case .garbled: isTorn = true
      }
    }
  }

  package var beginning: JournalEntry.Beginning? {
    for case .began(let beginning) in records.lazy.map(\.entry) { return beginning }
    return nil
  }

  package var isEnded: Bool { records.contains { if case .ended = $0.entry { true } else { false } } }
}
