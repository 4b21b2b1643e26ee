import Glibc
import HoldfastCPlatform

enum ChildStart {
  /// Starts a child; returns its output, its input and its pidfd, all owned by the caller, and its process ID.
  static func run(_ command: ChildCommand) throws(SystemError) -> (
    output: Int32, input: Int32, exit: Int32, identifier: Int32
  ) {
    let output = try Pipe()
    let input = try Pipe()
    try check("fcntl") { cp_set_nonblocking(output.reading.raw) }
    try check("fcntl") { cp_set_nonblocking(input.writing.raw) }
    if command.mayOutliveParent { _ = cp_enlarge_pipe(output.reading.raw, 1 << 20) }
    let files = ChildFiles(input: input.reading.raw, output: output.writing.raw, reader: output.reading.raw)
    let identifier =
      if let confinement = command.confinement {
        try confinement.run { () throws(SystemError) in try spawn(command, files) }
      } else {
        try spawn(command, files)
      }
    markAsFirstToEnd(identifier)
    let exit = try watch(identifier)
    return (output.reading.release(), input.writing.release(), exit, identifier)
  }

  /// When memory is short, the kernel ends the child, or what it has started, before this process.
  private static func markAsFirstToEnd(_ identifier: pid_t) {
    // Fails if the child has already ended.
    try? FileDescriptor(opening: "/proc/\(identifier)/oom_score_adj", O_WRONLY).write(Array("1000".utf8))
  }

  /// A pidfd, readable once the process has ended.
  private static func watch(_ identifier: pid_t) throws(SystemError) -> Int32 {
    do {
      return try check("pidfd_open") { pidfd_open(identifier, 0) }
    } catch {
      kill(-identifier, SIGKILL)
      var status: Int32 = 0
      _ = try? check("waitpid") { waitpid(identifier, &status, 0) }
      throw error
    }
  }

  private static func spawn(_ command: ChildCommand, _ files: ChildFiles) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, files.input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, files.output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    // The child inherits a reader, so that its output does not fail after this process's end.
    if command.mayOutliveParent { posix_spawn_file_actions_adddup2(&actions, files.reader, 3) }
    // Not every library opens files with O_CLOEXEC; an inherited camera would stay busy.
    posix_spawn_file_actions_addclosefrom_np(&actions, command.mayOutliveParent ? 4 : 3)
    var attributes = self.attributes
    defer { posix_spawnattr_destroy(&attributes) }

    var arguments = ([command.program] + command.arguments).map { strdup($0) } + [nil]
    var variables =
      command.environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var identifier = pid_t()
    let code = posix_spawn(&identifier, command.program, &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw SystemError(operation: "start \(command.program)", code: code) }
    return identifier
  }

  /// A new process group, an empty signal mask, and default SIGPIPE and SIGXFSZ.
  private static var attributes: posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setpgroup(&attributes, 0)
    var (none, broken) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    sigaddset(&broken, SIGXFSZ)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &broken)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return attributes
  }
}

/// Of the ends of its pipes, those that a child gets.
private struct ChildFiles {
  let input: Int32
  let output: Int32
  /// Of its own output.
  let reader: Int32
}

/// Neither end is inherited.
private struct Pipe: ~Copyable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try check("pipe2") { pipe2(&ends, O_CLOEXEC) }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }
}
