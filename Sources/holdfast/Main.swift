internal import Commands
internal import FoundationEssentials
internal import Glibc

@main enum Main {
  static func main() {
    exit(Program.run(arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment))
  }
}
