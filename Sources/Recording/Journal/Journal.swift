internal import FoundationEssentials
internal import HoldfastMediaModel

/// What a journal's file says, as far as it can be read: any bytes give a journal.
package struct Journal: Hashable, Sendable {
  /// What can't be read is left out, and so is the repetition of a line.
  package private(set) var records: [JournalRecord] = []
  /// Lines that are damaged, not a journal's, or too long.
  package private(set) var garbledLines = 0
  /// Lines of a later version.
  package private(set) var unknownLines = 0
  /// The last line has no end and can't be read: it was being written when the power went.
  package private(set) var isTorn = false

  static let lineLimit = 64 * 1024

  package init(_ bytes: [UInt8]) {
    let decoder = JSONDecoder()
    var seen: Set<JournalRecord> = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 0x0A)
      add(bytes[start..<(end ?? bytes.endIndex)], isWhole: end != nil, decoder, &seen)
      start = end.map { $0 + 1 } ?? bytes.endIndex
    }
  }

  private mutating func add(
    _ line: ArraySlice<UInt8>, isWhole: Bool, _ decoder: JSONDecoder, _ seen: inout Set<JournalRecord>
  ) {
    guard !line.isEmpty else { return }
    do throws(JournalLine.Failure) {
      guard line.count <= Self.lineLimit else { throw .garbled }
      let record = try JournalLine(line, with: decoder).record
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

  /// Nothing is left to do about the broadcast.
  package var isEnded: Bool {
    records.contains { if case .ended = $0.entry { true } else { false } }
  }
}
