/// The sine of so many turns, right to nine digits: a pure target has no C library to ask.
package func sine(turns: Double) -> Double {
  let rest = turns - turns.rounded()
  let quarter = rest > 0.25 ? 0.5 - rest : rest < -0.25 ? -0.5 - rest : rest
  let angle = quarter * 2 * .pi
  let square = angle * angle
  var term = angle
  var sum = angle
  for degree in stride(from: 3.0, through: 13, by: 2) {
    term *= -square / (degree * (degree - 1))
    sum += term
  }
  return sum
}

func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
