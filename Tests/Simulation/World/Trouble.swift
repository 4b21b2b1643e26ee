/// When something in the world was not as it should be.
struct Trouble {
  private(set) var past = Spans()
  private(set) var since: Int64?

  /// It is so from now on, or not any more.
  mutating func set(_ isTrouble: Bool, at now: Int64) {
    switch (since, isTrouble) {
    case (nil, true): since = now
    case (.some(let since), false):
      past.insert(since..<now)
      self.since = nil
    case (nil, false), (.some, true): break
    }
  }

  func spans(until now: Int64) -> Spans {
    var spans = past
    if let since, since < now { spans.insert(since..<now) }
    return spans
  }

  func touched(_ range: Range<Int64>) -> Bool {
    past.overlaps(range) || since.map { $0 < range.upperBound } ?? false
  }
}
