/// What the server does with a publish: distribute only, start a recording, or append to one.
package enum PublishType: String, Hashable, Sendable, CaseIterable {
  case live, record, append
}
