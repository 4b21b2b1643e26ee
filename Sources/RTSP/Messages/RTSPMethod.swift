/// The requests that we make.
package enum RTSPMethod: String, Hashable, Sendable, CaseIterable {
  case options = "OPTIONS"
  case announce = "ANNOUNCE"
  case setUp = "SETUP"
  case record = "RECORD"
  case pause = "PAUSE"
  case tearDown = "TEARDOWN"
  case getParameter = "GET_PARAMETER"
}
