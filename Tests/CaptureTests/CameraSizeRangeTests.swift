import HoldfastMediaModel
import Testing

@testable import HoldfastCapture

@Suite struct CameraSizeRangeTests {
  @Test(arguments: [
    (1, 1, "640x480", "640x480"), (1, 1, "641x481", "642x482"), (2, 2, "641x481", "642x482"),
    (16, 8, "1000x500", "1008x504"), (32, 16, "10x10", "32x32"), (1, 1, "2592x1944", "2592x1944"),
    (1, 1, "4000x1000", "2592x1944"), (1, 1, "1000x4000", "2592x1944"),
    (1000, 1000, "4000x4000", "2032x1032"),
  ])
  func `the smallest grid size covering the request is chosen, else the largest`(
    widthStep: Int, heightStep: Int, wanted: String, expected: String
  ) throws {
    let range = try range("32x32", "2592x1944", widthStep, heightStep)
    #expect(range.size(for: try size(wanted)).description == expected)
  }

  @Test(arguments: [
    ("33x33", "101x101", 2, 2, "50x50", "51x51"), ("33x33", "101x101", 1, 1, "101x101", "101x101"),
    ("33x33", "101x101", 1, 1, "200x200", "100x100"), ("33x33", "33x33", 0, 0, "200x200", "33x33"),
  ])
  func `an odd size is chosen only where the grid has no even one`(
    smallest: String, largest: String, widthStep: Int, heightStep: Int, wanted: String, expected: String
  ) throws {
    let range = try range(smallest, largest, widthStep, heightStep)
    #expect(range.size(for: try size(wanted)).description == expected)
  }

  @Test func `every request gets the smallest covering grid size, preferably even`() throws {
    for step in 1...5 {
      let range = try range("10x10", "40x40", step, step)
      let grid = stride(from: 10, through: 40, by: step).map { $0 }
      for wanted in 1...40 {
        let found = range.size(for: PictureSize(width: wanted, height: 10)).width
        guard let covering = grid.first(where: { $0 >= wanted }) else { continue }
        let next = grid.first { $0 > covering }
        let expected = covering % 2 != 0 && next?.isMultiple(of: 2) == true ? next : covering
        #expect(found == expected, "step \(step), wanted \(wanted)")
      }
    }
  }

  @Test(arguments: [("0x10", "20x20"), ("10x0", "20x20"), ("30x10", "20x20"), ("10x30", "20x20")])
  func `a zero or reversed size range is rejected`(smallest: String, largest: String) throws {
    let range = CameraSizeRange(
      smallest: try size(smallest), largest: try size(largest), widthStep: 1, heightStep: 1)
    #expect(range == nil)
  }

  private func range(
    _ smallest: String, _ largest: String, _ widthStep: Int, _ heightStep: Int
  ) throws -> CameraSizeRange {
    try #require(
      CameraSizeRange(
        smallest: size(smallest), largest: size(largest), widthStep: widthStep, heightStep: heightStep))
  }

  private func size(_ text: String) throws -> PictureSize { try #require(PictureSize(text)) }
}
