import TestVirtualTime

/// Sorted, disjoint time ranges.
struct Spans {
  private(set) var ranges: [Range<Int64>] = []

  init() {}

  init(_ unordered: [Range<Int64>]) {
    for range in unordered.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
  }

  private mutating func append(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    guard let last = ranges.last, range.lowerBound <= last.upperBound else { return ranges.append(range) }
    ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
  }

  mutating func insert(_ range: Range<Int64>) {
    if let last = ranges.last, range.lowerBound < last.lowerBound {
      self = Spans(ranges + [range])
    } else {
      append(range)
    }
  }

  func union(_ other: Spans) -> Spans { Spans(ranges + other.ranges) }

  func subtracting(_ other: Spans) -> Spans {
    var rest = Spans()
    var first = 0
    for range in ranges {
      var from = range.lowerBound
      while first < other.ranges.count, other.ranges[first].upperBound <= from { first += 1 }
      var index = first
      while index < other.ranges.count, other.ranges[index].lowerBound < range.upperBound {
        let cut = other.ranges[index]
        if from < cut.lowerBound { rest.append(from..<cut.lowerBound) }
        from = max(from, cut.upperBound)
        index += 1
      }
      if from < range.upperBound { rest.append(from..<range.upperBound) }
    }
    return rest
  }

  func intersection(_ other: Spans) -> Spans { subtracting(subtracting(other)) }

  func widened(by length: Int64) -> Spans {
    Spans(ranges.map { ($0.lowerBound - length)..<($0.upperBound + length) })
  }

  func longer(than length: Int64) -> [Range<Int64>] { ranges.filter { $0.length > length } }

  func overlaps(_ range: Range<Int64>) -> Bool {
    ranges.contains { $0.lowerBound < range.upperBound && range.lowerBound < $0.upperBound }
  }

  var total: Int64 { ranges.reduce(0) { $0 + $1.length } }
}

/// The times at which a condition was impaired.
struct Trouble {
  private(set) var past = Spans()
  private(set) var since: Int64?

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

extension Range<Int64> {
  var length: Int64 { upperBound - lowerBound }
  var shown: String { "\(lowerBound.shown) … \(upperBound.shown) (\((length).shown))" }
}
