import HoldfastBroadcasting
import HoldfastPlatform
import TestSupport

@testable import HoldfastBroadcastCommands
@testable import HoldfastCommands

/// Reads a configuration from texts: flags, variables, and the file `hall.json5`.
func read(_ flags: [String] = [], variables: [String: String] = [:], file: String? = nil) throws(Refusal)
  -> ProgramSettings
{
  let texts = SecretReference(environment: variables) { (path) throws(SystemError) in
    guard path == "hall.json5", let file else { throw SystemError(operation: "open \(path)", code: 2) }
    return Array(file.utf8)
  }
  return try ConfigurationReader(texts).read(
    flags + (file == nil || flags.contains("--config") ? [] : ["--config", "hall.json5"]))
}

/// What is said when it can't be read; nil when it can.
func refusal(of flags: [String] = [], variables: [String: String] = [:], file: String? = nil) -> Refusal? {
  failure { () throws(Refusal) in try read(flags, variables: variables, file: file) }
}
