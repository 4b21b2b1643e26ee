import Testing

@testable import HoldfastHTTP

@Suite struct PrometheusTextTests {
  private var page = PrometheusText()

  @Test mutating func `each metric has its description once, followed by its values`() {
    page.add("a", .gauge, "What a is.", 1.5)
    page.add("b_total", .counter, "What b is.", [([("output", "x")], 2), ([("output", "y")], 3)])
    #expect(
      page.text == """
        # HELP a What a is.
        # TYPE a gauge
        a 1.5
        # HELP b_total What b is.
        # TYPE b_total counter
        b_total{output="x"} 2
        b_total{output="y"} 3

        """)
  }

  @Test mutating func `a metric without values is left out`() {
    page.add("a", .gauge, "What a is.", [])
    #expect(page.text.isEmpty)
  }

  @Test mutating func `special characters of a label are escaped`() {
    page.add("a", .gauge, "What a is.", [([("x", "a\"b\\c\nd")], 1)])
    #expect(page.text.contains(#"a{x="a\"b\\c\nd"} 1"#))
  }

  @Test(arguments: [
    (0.0, "0"), (-3, "-3"), (1e18, "1e+18"), (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
  ])
  mutating func `numbers are written as Prometheus reads them`(value: Double, text: String) {
    page.add("a", .gauge, "What a is.", value)
    #expect(page.text.hasSuffix("\na \(text)\n"))
  }
}
