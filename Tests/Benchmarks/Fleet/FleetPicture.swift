import Foundation

/// An SVG of attempts per second over time, for light and dark backgrounds.
struct FleetPicture {
  let runs: [FleetRun]

  private static let (width, height) = (760.0, 320.0)
  private static let (left, right, top, bottom) = (64.0, 16.0, 36.0, 44.0)
  private static let step = 10
  private static let lowest = 100

  func write(to path: String) throws { try svg.write(toFile: path, atomically: true, encoding: .utf8) }

  private func rates(_ run: FleetRun) -> [Int] {
    stride(from: 0, to: FleetRun.end, by: Self.step).map {
      run.attempts[$0..<($0 + Self.step)].reduce(0, +) * 100 / Self.step
    }
  }

  /// A logarithmic axis, as the rates range from 1000 to 100 000 a second.
  private func y(_ rate: Int) -> Double {
    let share = log10(Double(max(rate, Self.lowest)) / Double(Self.lowest)) / 3
    return Self.height - Self.bottom - min(1, share) * (Self.height - Self.top - Self.bottom)
  }

  private func x(_ tick: Int) -> Double {
    Self.left + Double(tick) / Double(FleetRun.end) * (Self.width - Self.left - Self.right)
  }

  private func short(_ number: Double) -> String { String(format: "%.1f", number) }

  private var svg: String {
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(Int(Self.width)) \#(Int(Self.height))" role="img">"#,
      "<title>Connection attempts per second of 10 000 broadcasters that lose one server for a minute</title>",
      """
      <style>text{font:12px sans-serif;fill:#57606a}line{stroke:#57606a;stroke-opacity:.35}path{fill:none}\
      .a{stroke:#0969da;stroke-width:1.4}.b{stroke:#bc4c00;stroke-width:1;stroke-opacity:.75}.away{fill:#57606a;fill-opacity:.12}\
      @media(prefers-color-scheme:dark){text{fill:#adbac7}line{stroke:#adbac7}.a{stroke:#539bf5}.b{stroke:#f0883e}}</style>
      """,
    ]
    let (x0, x1) = (x(0), x(FleetRun.outage))
    let floor = Self.height - Self.bottom
    lines.append(
      #"<rect class="away" x="\#(short(x0))" y="\#(short(Self.top))" width="\#(short(x1 - x0))" height="\#(short(floor - Self.top))"/>"#
    )
    for rate in [100, 1000, 10_000, 100_000] {
      let y = short(y(rate))
      lines.append(
        #"<line x1="\#(short(x0))" x2="\#(short(Self.width - Self.right))" y1="\#(y)" y2="\#(y)"/>"#)
      lines.append(#"<text x="\#(short(x0 - 6))" y="\#(y)" dy="4" text-anchor="end">\#(rate)</text>"#)
    }
    for second in stride(from: 0, through: FleetRun.end / 100, by: 10) {
      let x = short(x(second * 100))
      lines.append(#"<text x="\#(x)" y="\#(short(floor + 16))" text-anchor="middle">\#(second) s</text>"#)
    }
    lines.append(#"<text x="8" y="16">attempts per second</text>"#)
    lines.append(
      #"<text x="\#(short((x0 + x1) / 2))" y="\#(short(floor + 34))" text-anchor="middle">the server is away</text>"#
    )
    for (run, name) in zip(runs, ["a", "b"]).reversed() { lines.append(curve(run, name)) }
    for (index, (run, name)) in zip(runs, ["a", "b"]).enumerated() {
      let x = Self.width - 260 + Double(index) * 125
      lines.append(#"<path class="\#(name)" d="M\#(short(x - 22)) 12h18"/>"#)
      lines.append(#"<text x="\#(short(x))" y="16">\#(run.spread.rawValue)</text>"#)
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  private func curve(_ run: FleetRun, _ name: String) -> String {
    let rates = rates(run)
    var path = ""
    for (index, rate) in rates.enumerated() {
      let isBegun = index > 0 && max(rate, rates[index - 1]) > Self.lowest
      path += (isBegun ? "L" : "M") + short(x(index * Self.step)) + " " + short(y(rate))
    }
    return #"<path class="\#(name)" d="\#(path)"/>"#
  }
}
