import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing

/// The outputs that an event was sent to, and why not to the others.
package struct EventDelivery: Hashable, Sendable, CustomStringConvertible {
  package private(set) var sent = 0
  package private(set) var outputs = 0
  private var unfit: Set<String> = []
  private var silent: [String] = []

  init(_ outputs: [(settings: Output.Settings, state: OutputLifecycle.Condition.State)]) {
    self.outputs = outputs.count
    for output in outputs {
      if !output.settings.address.carriesEvents {
        unfit.insert(output.settings.address.kind.uppercased())
      } else if output.state != .publishing {
        silent.append(output.settings.id)
      } else {
        sent += 1
      }
    }
  }

  /// `sent to 1 of 3 outputs: RTSP can't carry events; rtmp-2 is not publishing`
  package var description: String {
    let reasons = [
      unfit.isEmpty ? nil : "\(unfit.sorted().joined(separator: " and ")) can't carry events",
      silent.isEmpty
        ? nil : "\(silent.joined(separator: " and ")) \(silent.count == 1 ? "is" : "are") not publishing",
    ].compactMap(\.self)
    return "sent to \(sent) of \(Figures.count(outputs, "output"))"
      + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; "))
  }
}
