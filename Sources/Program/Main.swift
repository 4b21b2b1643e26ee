import FoundationEssentials
import Glibc
import HoldfastCommands

@main enum Main {
  static func main() {
    exit(Program.run(arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment))
  }
}
