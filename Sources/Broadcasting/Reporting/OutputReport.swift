package import HoldfastLifecycle
package import HoldfastPublishing

/// What is told of one output when something about it changes.
package struct OutputReport: Hashable, Sendable {
  package var id: String
  /// The address without its secrets.
  package var url: String
  package var condition: OutputLifecycle.Condition
  /// What happened, for a person.
  package var why: String?
  /// What it did not get, right before it went on publishing.
  package var loss: OutputLoss

  package init(
    id: String, url: String, condition: OutputLifecycle.Condition, why: String? = nil,
    loss: OutputLoss = OutputLoss()
  ) {
    self.id = id
    self.url = url
    self.condition = condition
    self.why = why
    self.loss = loss
  }
}
