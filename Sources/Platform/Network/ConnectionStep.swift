package import HoldfastMediaModel

/// How far an attempt to connect has come; `after` is how long that step took.
package enum ConnectionStep: Hashable, Sendable {
  case resolved(addresses: Int, after: MediaTime)
  case connected(address: String, after: MediaTime)
  case secured(version: String, cipher: String, after: MediaTime)
}
