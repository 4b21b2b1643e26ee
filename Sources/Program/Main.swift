import FoundationEssentials
import Glibc
import HoldfastBroadcastCommands

@main enum Main {
  static func main() {
    exit(Program.run(arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment))
  }
}
