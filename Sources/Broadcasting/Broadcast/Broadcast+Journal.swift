internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastPublishing
internal import HoldfastRecording

extension Broadcast {
  /// A new broadcast's id.
  static func newID() -> String {
    WallTime.now.compact + "-"
      + String(UInt16.random(in: 0x1000...0xFFFF), radix: 16)
  }

  func noteAcceptance(by output: String) {
    guard let settings = configuration.outputSettings.first(where: { $0.id == output }) else { return }
    journal?.accepted(settings.mark(in: id))
  }

  /// Nil where none is kept, or none can be.
  static func journal(
    of id: String, _ configuration: Configuration, in folder: JournalFolder?, _ resumed: ResumedBroadcast?,
    note: @escaping @Sendable (String) -> Void
  ) -> BroadcastJournal? {
    guard let folder else { return nil }
    guard let resumed else {
      return BroadcastJournal(of: id, name: configuration.name, in: folder, note: note)
    }
    return BroadcastJournal(of: resumed, in: folder, note: note)
  }
}

extension Output.Settings {
  /// What a journal calls an output that has accepted `broadcast`: its id, and a digest of where it goes. Another place of
  /// the same name has not accepted it.
  func mark(in broadcast: String) -> String {
    "\(id)#" + hexadecimal(sha256(Array("\(broadcast) \(address.destination)".utf8))).prefix(16)
  }
}
