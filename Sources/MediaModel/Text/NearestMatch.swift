package enum NearestMatch {
  /// The only name that begins with `text`, else the one with the fewest typos, if they are few.
  package static func find(_ text: String, among names: [String]) -> String? {
    let typed = Array(text.lowercased().unicodeScalars)
    guard typed.count <= 64 else { return nil }
    if let longer = onlyName(beginningWith: text, among: names) { return longer }
    let measured = names.map {
      (name: $0, editDistance: editDistance(typed, Array($0.lowercased().unicodeScalars)))
    }
    guard let nearest = measured.min(by: { $0.editDistance < $1.editDistance }) else { return nil }
    return nearest.editDistance <= max(1, (typed.count - sharedBeginning(of: names)) / 3) ? nearest.name : nil
  }

  private static func sharedBeginning(of names: [String]) -> Int {
    guard let first = names.first else { return 0 }
    return names.reduce(first.count) { shared, name in
      zip(first, name).prefix(shared).prefix { $0 == $1 }.count
    }
  }

  private static func onlyName(beginningWith text: String, among names: [String]) -> String? {
    let longer = Set(names.filter { $0.hasPrefix(text) })
    return text.count >= 2 && longer.count == 1 ? longer.first : nil
  }

  /// The number of insertions, deletions, replacements and transpositions.
  static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var least = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
