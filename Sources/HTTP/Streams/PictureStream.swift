package import HoldfastMediaModel

/// A picture with a number that distinguishes it from earlier ones.
package struct NumberedPicture: Hashable, Sendable {
  package let number: Int
  package let jpeg: [UInt8]

  package init(number: Int, jpeg: [UInt8]) {
    self.number = number
    self.jpeg = jpeg
  }
}

/// A stream of the newest picture. A slow client misses pictures.
package struct PictureStream: ResponseStream {
  package static let boundary = "picture"

  private let newest: @Sendable () -> NumberedPicture?
  private let every: MediaTime
  private var rest: [[UInt8]] = [Array("--\(boundary)\r\n".utf8)]
  private var next: MonotonicTime
  private var sent: (number: Int, at: MonotonicTime)?

  /// Even an unchanged picture is sent again after this time, to detect a lost client.
  static let resendInterval = MediaTime.seconds(5)

  /// `newest` must not block.
  package init(
    every: MediaTime = .milliseconds(200), at now: MonotonicTime,
    newest: @escaping @Sendable () -> NumberedPicture?
  ) {
    self.newest = newest
    self.every = every
    next = now
  }

  package mutating func next(at now: MonotonicTime) -> StreamStep {
    if rest.isEmpty, now >= next {
      next = next + every > now ? next + every : now + every
      if let picture = newest(), isDue(picture, at: now) {
        sent = (picture.number, now)
        let head = "Content-Type: image/jpeg\r\nContent-Length: \(picture.jpeg.count)\r\n\r\n"
        // Browsers show a picture once the next boundary arrives.
        rest = [Array(head.utf8), picture.jpeg, Array("\r\n--\(Self.boundary)\r\n".utf8)]
      }
    }
    return rest.isEmpty ? .nothing(until: next) : .bytes(rest.removeFirst())
  }

  private func isDue(_ picture: NumberedPicture, at now: MonotonicTime) -> Bool {
    guard let sent else { return true }
    return picture.number != sent.number || now >= sent.at + Self.resendInterval
  }
}
