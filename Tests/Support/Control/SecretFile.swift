/// The file with the secret of a server's tokens, and tokens of it, made by the program.
package struct SecretFile: Sendable {
  package let path: String

  package init(in folder: ScratchFolder, named name: String = "secret") throws {
    path = folder.file(name)
    try HoldfastProcess.output("token", "--new-secret", path)
  }

  package func token(_ name: String, _ role: String, of session: String) throws -> String {
    try HoldfastProcess.output(
      "token", "--secret", path, "--name", name, "--role", role, "--session", session)
  }
}
