import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPlatform

@Suite(.realTime) struct ChildProcessTests {
  private static let timeout = MediaTime.seconds(30)

  private func start(
    _ script: String, _ arguments: [String] = [], environment: [String: String] = [:],
    change: (inout ChildCommand) -> Void = { _ in }
  ) throws -> ChildProcess {
    var command = ChildCommand.shell(
      script, arguments, environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 })
    change(&command)
    return try ChildProcess(command)
  }

  private func outcome(of child: ChildProcess) throws -> ChildProcess.Outcome {
    try child.wait(until: .now + Self.timeout)
  }

  /// What the script says, without the end of its last line.
  private func output(of script: String, _ arguments: [String] = []) throws -> String {
    let child = try start(script, arguments)
    _ = try outcome(of: child)
    return String(decoding: child.lastOutput, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  @Test(
    arguments: [
      ("exit 0", .exited(0)), ("exit 3", .exited(3)), ("exit 255", .exited(255)),
      ("kill -9 $$", .killed(signal: SIGKILL)),
      // Its input is empty.
      ("! read line", .exited(0)),
      // What it has left running does not hold anything up.
      ("yes &", .exited(0)),
    ] as [(String, ChildProcess.Ending)])
  func `a process's exit status, or the signal that ended it, is reported`(
    script: String, ending: ChildProcess.Ending
  ) throws {
    #expect(try outcome(of: start(script)) == .ended(ending))
  }

  @Test func `a child with an input hears its parent, again and again`() throws {
    let child = try start("head -c 2 | wc -c") { $0.hasInput = true }
    let pulse = try ParentPulse.start(for: child)
    #expect(try outcome(of: child) == .ended(.exited(0)))
    #expect(child.lastLine == "2")
    pulse.stop()
  }

  @Test func `arguments and variables reach the process unchanged`() throws {
    let child = try start(
      #"printf '%s|%s|%s' "$1" "$2" "$A""#, ["a b", "$(x)'\"*"], environment: ["A": "ü\n;"])
    _ = try outcome(of: child)
    #expect(String(decoding: child.lastOutput, as: UTF8.self) == "a b|$(x)'\"*|ü\n;")
  }

  @Test(arguments: [
    ("open", "cat", true), ("open", "write", true), ("readable", "cat", true), ("readable", "write", false),
    ("closed", "cat", false), ("closed", "write", false), ("closed", "list", false),
  ])
  func `a confined process opens its folders only, and so does what it starts`(
    folder: String, access: String, isAllowed: Bool
  ) throws {
    let scratch = ScratchFolder()
    for name in ["open", "readable", "closed"] {
      try createDirectory(scratch.file(name))
      _ = try scratch.write("key", to: "\(name)/file")
    }
    let script =
      switch access {
      case "cat": #"sh -c 'cat "$0/file"' "$1""#
      case "list": #"sh -c 'ls "$0"' "$1""#
      default: #"sh -c 'echo x >"$0/new" && rm "$0/file"' "$1""#
      }
    let child = try start(script, [scratch.file(folder)]) { command in
      command.confinement = FolderConfinement([
        .init(path: scratch.file("open"), isWritable: true),
        .init(path: scratch.file("readable"), isWritable: false),
      ])
    }
    let outcome = try outcome(of: child)
    #expect((outcome == .ended(.exited(0))) == isAllowed)
    #expect(
      FileManager.default.isReadableFile(atPath: scratch.file("closed/file")), "this process is not confined")
  }

  @Test func `a process is not started where its confinement can't be set up`() {
    #expect(throws: SystemError.self) {
      try start("true") { command in
        command.confinement = FolderConfinement([.init(path: "/no/such/folder", isWritable: true)])
      }
    }
  }

  @Test func `a process and what it starts end before this one when memory is short`() throws {
    let child = try start("until sh -c 'grep -qx 1000 /proc/self/oom_score_adj'; do sleep 0.01; done")
    #expect(try outcome(of: child) == .ended(.exited(0)))
  }

  @Test(arguments: [
    ("env | grep -cE '^(HOME|USER|PWD_NOT)='", "0"),
    (#"set -- $(cat /proc/$$/stat); [ "$5" = $$ ] && echo own"#, "own"),
  ])
  func `a process has no other variables, and a group of its own`(script: String, expected: String) throws {
    #expect(try output(of: script) == expected)
  }

  @Test func `a process inherits no open descriptors`() throws {
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    try #require(descriptor > 2)
    #expect(try outcome(of: start("[ ! -e /proc/$$/fd/\(descriptor) ]")) == .ended(.exited(0)))
  }

  @Test func `a process starts without blocked signals, and SIGPIPE is not ignored`() throws {
    signal(SIGPIPE, SIG_IGN)
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let masks = try output(of: "sed -n 's/^Sig[BI][lg][kn]:.//p' /proc/self/status").split(separator: "\n")
    try #require(masks.count == 2)
    #expect(UInt64(masks[0], radix: 16) == 0)
    #expect(UInt64(masks[1], radix: 16).map { $0 & 1 << (SIGPIPE - 1) } == 0)
  }

  @Test func `a missing program is an error`() {
    #expect(throws: SystemError(operation: "start /nowhere", code: ENOENT)) {
      try ChildProcess(ChildCommand("/nowhere", environment: [:]))
    }
  }

  @Test func `the end of a process's megabyte of output is kept`() throws {
    let child = try start("head -c 1000000 /dev/zero | tr '\\0' x; echo; echo last") { $0.outputLimit = 100 }
    #expect(try outcome(of: child) == .ended(.exited(0)))
    #expect((child.lastOutput.count, child.lastLine) == (100, "last"))
  }

  @Test(arguments: ["exec sleep 60", "exec yes"])
  func `a process that keeps running, silent or not, is awaited until the deadline`(script: String) throws {
    let child = try start(script)
    #expect(try child.wait(until: .now + .milliseconds(50)) == .timedOut)
    #expect(try child.end() == .killed(signal: SIGTERM))
  }

  @Test func `a process that ignores SIGTERM is killed`() throws {
    let child = try start("trap '' TERM; echo ready; while :; do sleep 0.01; done")
    while child.lastLine == nil { _ = try child.wait(until: .now + .milliseconds(10)) }
    #expect(try child.end(grace: .milliseconds(50)) == .killed(signal: SIGKILL))
  }

  @Test func `a process's own child processes end with it`() throws {
    let child = try start("sleep 60 & echo $!; wait")
    while child.lastLine == nil { _ = try child.wait(until: .now + .milliseconds(10)) }
    let grandchild = try #require(child.lastLine.flatMap { Int32($0) })
    try child.end()
    #expect(eventually { Self.hasGone(grandchild) })
  }

  @Test func `a readable descriptor ends a wait for a process`() throws {
    let wakeup = try Wakeup()
    let child = try start("exec sleep 60")
    wakeup.signal()
    #expect(try child.wait(until: nil, or: wakeup.descriptor) == .woken)
    try child.end()
  }

  @Test func `a released process is reaped when it ends`() throws {
    var child: ChildProcess? = try start("exec sleep 60")
    let identifier = try #require(child?.identifier)
    child = nil
    kill(identifier, SIGKILL)
    #expect(eventually { kill(identifier, 0) == -1 })
  }

  @Test func `a process that may outlive its parent can still write`() throws {
    let folder = ScratchFolder()
    let script = #"while [ ! -e "$1/go" ]; do sleep 0.01; done; echo on; echo on; touch "$1/done""#
    var child: ChildProcess? = try start(script, [folder.path]) { $0.mayOutliveParent = true }
    #expect(child != nil)
    child = nil
    _ = try folder.write("", to: "go")
    #expect(eventually { fileExists(folder.file("done")) })
  }

  private static func hasGone(_ identifier: Int32) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.hasPrefix(" Z") ?? true
  }
}

@Suite struct OutputTailTests {
  private func tail(of pieces: [String], limit: Int = 100) -> OutputTail {
    var tail = OutputTail(limit: limit)
    for piece in pieces { tail.add(Array(piece.utf8)) }
    return tail
  }

  @Test(arguments: [
    ["abcdefgh"], ["abcd", "efgh"], ["a", "b", "c", "d", "e", "f", "g", "h"], ["abcdefg", "", "h"],
  ])
  func `the end of a process's output is kept, in pieces of any size`(pieces: [String]) {
    #expect(tail(of: pieces, limit: 3).bytes == Array("fgh".utf8))
  }

  @Test(
    arguments: [
      ("one\ntwo\n", "two"), ("one\ntwo", "two"), ("one\n\n  \n\n", "one"), ("10 %\r20 %\r\n", "20 %"),
      ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"), ("a\tb\0c", "abc"), ("\u{202E}x", "x"),
      // A blank output has none.
      ("", nil), ("\n\n", nil), (" \r\n", nil), ("\u{7}\n", nil),
    ] as [(String, String?)])
  func `the last line of a process's output is found and made printable`(text: String, line: String?) {
    #expect(tail(of: [text]).lastLine == line)
  }

  @Test func `bytes that are not UTF-8 are shown as replacement characters`() {
    var tail = OutputTail(limit: 10)
    tail.add([0xFF, 0x61])
    #expect(tail.lastLine == "\u{FFFD}a")
  }
}
