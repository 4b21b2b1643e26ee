internal import MediaModel
internal import Platform
internal import Recording

extension Broadcast {
  /// A new broadcast's id.
  static func newID() -> String {
    WallTime(nanoseconds: wallClockNanoseconds()).compact + "-"
      + String(UInt16.random(in: 0x1000...0xFFFF), radix: 16)
  }

  /// Nil where none is kept, or none can be.
  static func journal(
    of id: String, _ configuration: Configuration, in folder: JournalFolder?, _ takenUp: TakenUp?,
    note: @escaping @Sendable (String) -> Void
  ) -> BroadcastJournal? {
    guard let folder else { return nil }
    guard let takenUp else {
      return BroadcastJournal(of: id, name: configuration.name, in: folder, note: note)
    }
    return BroadcastJournal(of: takenUp, in: folder, note: note)
  }
}
