import Foundation
import TestSupport
import TestTraits
import Testing

/// The pages in a browser, controlling the whole program. Their handling of faults is tested with a fake
/// broadcaster and a fake hub.
@Suite(.busyRealTime, .serialized) struct PageTests {
  private let folder = ScratchFolder()

  init() throws {
    try #require(
      ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy(FileManager.default.isExecutableFile),
      "chromium or its driver is missing; run make test, which installs what the tests need")
  }

  @Test func `the page shows and controls a broadcast`() throws {
    try PageStage(in: folder).check([
      "fields", "token_asked", "token_in_address", "before_live", "go_live", "muting", "interrupting",
      "extending", "switching", "watching", "participant", "manager", "ending", "restarting",
    ])
  }

  @Test func `the page works over TLS`() throws {
    let stage = try PageStage(in: folder, certificate: TestCertificate(in: folder))
    try stage.check(["token_in_address", "go_live", "watching"])
  }

  @Test func `each role does on the page of a session what the hub permits, and finds nothing else`() throws {
    try runPageChecks(in: folder, ["--holdfast", HoldfastProcess.program.path, "real_*"])
  }
}

private func runPageChecks(in folder: ScratchFolder, _ arguments: [String]) throws {
  let checks = Repository.path("Tests/Page/page-checks")
  try Tool.run(["timeout", "-k", "5", "550", checks, folder.file("pictures")] + arguments)
}

/// A broadcaster with a preview, its server, and tokens for it.
private final class PageStage {
  private let folder: ScratchFolder
  private let server: ServeProcess
  private let port: LoopbackPort
  private let camera: TestDevice.Camera
  private let url: String
  private let tokens: [String]

  init(in folder: ScratchFolder, certificate: TestCertificate? = nil) throws {
    self.folder = folder
    port = try LoopbackPort()
    camera = try TestDevice.Camera(in: folder)
    url = "\(certificate == nil ? "http" : "https")://127.0.0.1:\(port.number)"
    let (secret, another) = (try SecretFile(in: folder), try SecretFile(in: folder, named: "another secret"))
    tokens = try [
      ("host", secret, "host"), ("manager", secret, "manager"), ("participant", secret, "participant"),
      ("forged", another, "host"),
    ].flatMap { name, secret, role in
      ["--\(name)", try secret.token(name.capitalized, role, of: "stage")]
    }
    server = try ServeProcess(in: folder)
    try writeScript(
      [
        "publish", "--name", "stage", "--preview", "--max-duration", "2h", "--after-crash", "new", "--video",
        "camera:\(camera.path)", "--audio", "tone", "--record", folder.file("recordings"), "--to",
        server.address, "--listen", "127.0.0.1:\(port.number)", "--token-secret", secret.path,
      ] + (certificate.map { ["--tls-cert", $0.certificate, "--tls-key", $0.key] } ?? []))
    try runScript()
  }

  deinit {
    try? runScript("end")
    server.finish()
  }

  /// Through Python, which closes inherited descriptors: the broadcaster would otherwise keep open a pipe
  /// that `Process` waits for.
  private func runScript(_ word: String = "start") throws {
    let call = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"
    try Tool.run(["python3", "-c", call, "sh", folder.file("restart"), word])
  }

  /// Runs the named checks; throws their output if one fails.
  func check(_ names: [String]) throws {
    let restart = "sh '\(folder.file("restart"))'"
    try runPageChecks(in: folder, ["--url", url] + tokens + ["--restart", restart] + names)
  }

  /// `sh restart` ends the broadcaster that it started before and starts the next one; `sh restart end` only
  /// ends it. A time limit ends a broadcaster left behind.
  private func writeScript(_ command: [String]) throws {
    let words = ([HoldfastProcess.program.path] + command).map { "'\($0)'" }.joined(separator: " ")
    let places = ["XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.file("state")]
    let environment = camera.environment.merging(places) { $1 }.map { "\($0)='\($1)'" }.joined(separator: " ")
    let script = """
      number='\(folder.file("number"))'
      log='\(folder.file("log"))'
      if [ -e "$number" ]; then
        old=$(cat "$number")
        kill "$old"
        while kill -0 "$old" 2>/dev/null; do sleep 0.05; done
        rm "$number"
      fi
      [ "$1" != end ] || exit 0
      timeout -k 5 590 env \(environment) \(words) >"$log" 2>&1 </dev/null &
      echo $! >"$number"
      until curl -sfk -o "$log.health" '\(url)/healthz'; do
        kill -0 "$(cat "$number")" || { cat "$log"; exit 1; }
        sleep 0.05
      done
      """
    try script.write(toFile: folder.file("restart"), atomically: true, encoding: .utf8)
  }
}
