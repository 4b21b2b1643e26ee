/// What the names of the environment variables that stand for options begin with.
package let variablePrefix = "HOLDFAST_"

/// An option on a command line.
package protocol CommandOption: Sendable {
  /// With its two dashes.
  var flag: String { get }
  /// Empty for an option that takes no value.
  var placeholder: String { get }
  var form: OptionForm { get }
  var help: String { get }
}

extension CommandOption {
  /// The flag with its placeholder, as in the help.
  package var term: String { placeholder.isEmpty ? flag : "\(flag) \(placeholder)" }
}

/// An option whose command reads its value.
package struct Flag: CommandOption {
  package let flag: String
  package let placeholder: String
  package let form: OptionForm
  package let help: String

  /// A toggle, without `placeholder`.
  package init(_ flag: String, _ placeholder: String = "", isList: Bool = false, help: String) {
    self.flag = flag
    self.placeholder = placeholder
    self.help = help
    form = placeholder.isEmpty ? .toggle : isList ? .names : .text
  }
}
