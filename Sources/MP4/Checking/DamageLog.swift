internal import HoldfastMediaModel

/// The damages of a recording in the order of the file, as many as there is room for, and how many there are.
struct DamageLog: Hashable, Sendable {
  private(set) var list: [RecordingDamage] = []
  private(set) var count = 0
  private(set) var bytes = 0

  private static let capacity = 1000

  mutating func note(_ damage: RecordingDamage) {
    count += 1
    bytes += damage.bytes.count
    if list.count < Self.capacity { list.append(damage) }
  }

  /// A track goes on at `time`: what was missing until then ends there.
  mutating func endMissing(_ id: UInt32, at time: MediaTime) {
    for index in list.indices.reversed() {
      guard let place = list[index].missing.firstIndex(where: { $0.id == id }) else {
        if index < list.count - 8 { return }
        continue
      }
      guard list[index].missing[place].to == nil else { return }
      if time > list[index].missing[place].from {
        list[index].missing[place].to = time
      } else {
        // It has not cost this track anything.
        list[index].missing.remove(at: place)
      }
    }
  }
}
