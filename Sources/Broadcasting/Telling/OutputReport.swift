public import Lifecycle
public import Publishing

/// What is told of one output when something about it changes.
public struct OutputReport: Hashable, Sendable {
  public var id: String
  /// The address without its secrets.
  public var url: String
  public var condition: OutputLifecycle.Condition
  /// What happened, for a person.
  public var why: String?
  /// What it did not get, right before it went on publishing.
  public var loss: OutputLoss

  public init(
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
