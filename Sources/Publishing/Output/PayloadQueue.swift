/// A transport stream on its way into a network's packets: full ones first, what is left over when nothing more comes.
struct PayloadQueue {
  private let size: Int
  private var bytes: [UInt8] = []
  private var head = 0

  /// `size` is that of a full payload.
  init(size: Int) {
    self.size = size
  }

  var count: Int { bytes.count - head }

  mutating func append(_ more: [UInt8]) {
    if head == bytes.count {
      bytes = more
    } else {
      bytes.removeFirst(head)
      bytes += more
    }
    head = 0
  }

  /// Hands over payload after payload, as long as `take` takes them; without `includingRest` only full ones.
  mutating func drain<Failure: Error>(
    includingRest: Bool, _ take: (UnsafeRawBufferPointer) throws(Failure) -> Bool
  ) throws(Failure) {
    while count >= (includingRest ? 1 : size) {
      let range = head..<min(head + size, bytes.count)
      let isTaken = try bytes.withUnsafeBufferPointer { (all) throws(Failure) in
        try take(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[range])))
      }
      guard isTaken else { return }
      head = range.upperBound
    }
  }
}
