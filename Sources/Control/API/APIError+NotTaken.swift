package import HoldfastHTTP

extension APIError {
  package static let notTaken = APIError(
    503, "notTaken", "the broadcast did not take the command in time", hint: "try again")
}
