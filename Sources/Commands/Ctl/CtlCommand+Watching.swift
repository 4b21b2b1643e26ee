import HoldfastControl
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

/// Commands that need several responses.
extension CtlCommand {
  /// Shows events or status until the broadcast's program ends.
  func follow(_ broadcast: ControlSockets.Running, isStatus: Bool) throws(Refusal) -> Int32 {
    let request = HTTPRequest("GET", "/v1/events", query: isStatus ? ["status": "1000"] : [:])
    let isPaged = isStatus && !asJSON && isOutputTerminal
    let refused: HTTPResponse?
    do throws(HTTPClientError) {
      refused = try ControlClient(path: broadcast.path).follow(request) { event in
        if (event.name == "status") == isStatus { printOutput(text(of: event), isPage: isPaged) }
      }
    } catch {
      throw Refusal(error, from: broadcast.name)
    }
    if let refused { throw refusal(of: refused, by: broadcast.name) }
    return ExitStatus.success.rawValue
  }

  private func text(of event: ServerSentEvent) -> String {
    let bytes = Array(event.data.utf8)
    guard !asJSON, event.name == "status", let json = try? JSONValue(reading: bytes.span) else {
      return event.data
    }
    return CtlStatusTable.text(for: json)
  }

  func savePicture(to file: String?, of broadcast: ControlSockets.Running) throws(Refusal) {
    let response = try send(.init("GET", "/v1/preview.jpg"), of: broadcast)
    try requireSuccess(response, of: broadcast)
    let path = file ?? "\(broadcast.name)-\(WallTime.now.compact).jpg"
    do throws(SystemError) {
      if path == "-" {
        try FileDescriptor.standardOutput().write(response.bytes)
      } else {
        try saveFile(path, response.bytes)
      }
    } catch {
      throw Refusal(.disk, shown(path), "\(error)", "choose a writable file, or - for standard output")
    }
    if path != "-" { printOutput(path) }
  }

  private func outputs(of broadcast: ControlSockets.Running) throws(Refusal) -> [JSONValue] {
    let status = try send(.status, of: broadcast)
    guard status.isSuccess, case .list(let outputs)? = status.json?.field("outputs") else {
      throw refusal(of: status, by: broadcast.name)
    }
    return outputs
  }

  func check(_ broadcast: ControlSockets.Running, measuringUpload: Bool) throws(Refusal) -> Int32 {
    let body: JSONValue = ["measureUpload": .bool(measuringUpload)]
    try requireSuccess(try send(.init("POST", "/v1/check", body: body), of: broadcast), of: broadcast)
    var found = try outputs(of: broadcast)
    while found.contains(where: { $0.field("check")?.field("state")?.text == "running" }) {
      _ = try? Wakeup().wait(until: .now + .milliseconds(100))
      found = try outputs(of: broadcast)
    }
    let rows = found.map { output in
      JSONValue.object(
        ["id", "url"].map { .init($0, output.field($0) ?? .null) }
          + ["state", "what"].map { .init($0, output.field("check")?.field($0) ?? .null) })
    }
    let table: JSONValue = ["outputs": .list(rows)]
    printOutput(asJSON ? table.description : CtlStatusTable.text(for: table))
    let isFine = rows.allSatisfy { $0.field("state")?.text == "fine" }
    return (isFine ? ExitStatus.success : .gaveUp).rawValue
  }
}
