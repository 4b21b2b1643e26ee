package import HoldfastHTTP
package import HoldfastLifecycle

extension HTTPRequest {
  package static let status = HTTPRequest("GET", ControlAPI.statusPath)

  package static func command(_ command: Lifecycle.Command) -> HTTPRequest {
    HTTPRequest("POST", ControlAPI.path(of: command))
  }
}
