/// What the server is to do with a publish: only pass it on, begin a recording of its own, or continue one.
package enum PublishType: String, Hashable, Sendable, CaseIterable {
  case live, record, append
}
