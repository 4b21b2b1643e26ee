extension RandomAccessCollection where Index == Int {
  /// The index of the first element for which `isBehind` holds, found by halves; `endIndex` if it holds for none.
  ///
  /// It must hold for all elements after one for which it does.
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension [Double] {
  /// The value that `percent` of all are below; there must be one.
  package func percentile(_ percent: Int) -> Double { sorted()[count * percent / 100] }
}
