/// The rows and columns that show a number of pictures.
package struct GridShape: Hashable, Sendable {
  package let rows: Int
  package let columns: Int

  package init(of count: Int) {
    let rows = (1...max(1, count)).first { $0 * ($0 + 1) >= count } ?? 1
    self.rows = rows
    columns = count > rows * rows ? rows + 1 : rows
  }
}
