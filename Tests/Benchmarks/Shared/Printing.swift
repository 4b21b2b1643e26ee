import Foundation
import TestSupport

/// Prints a line of the result at once, also into a file.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Prints progress to standard error; results go to standard output.
func progress(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
