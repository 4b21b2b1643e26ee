package import HoldfastHTTP
package import HoldfastMediaModel
package import HoldfastMembership
package import HoldfastPlatform

/// Requests to a hub, each of which may arrive twice: a join, a beat, and a command with its id. Blocks.
package struct HubClient: ~Copyable {
  private var client: HTTPClient

  package init(_ origin: HTTPOrigin, tls: TLSSettings, stop: Wakeup) {
    client = HTTPClient(origin, tls: tls, stop: stop)
  }

  /// The hub's answer; a refusal and what is no answer of a hub's are failures.
  package mutating func send(_ request: HTTPRequest, within limit: MediaTime) throws(HubFailure) -> JSONValue
  {
    let response: HTTPResponse
    do throws(HTTPClientError) {
      response = try client.send(request, isRepeatable: true, within: limit)
    } catch {
      throw .unreachable("\(error)")
    }
    guard response.isSuccess, let json = response.json else { throw HubFailure(response) }
    return json
  }

  mutating func close() { client.close() }
}

extension HubFailure {
  /// Of a response that is not the answer to the request.
  init(_ response: HTTPResponse) {
    let retryAfter = response.retryAfter.map { min($0, .seconds(3600)) }
    self =
      response.json.flatMap { HubRefusal(response.status, $0, retryAfter: retryAfter) }.map(Self.refused)
      ?? .unreachable("its answer (\(response.status)) is not a hub's")
  }
}
