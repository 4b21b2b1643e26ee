import HoldfastPlatform
import TestSupport

/// Raises the limit of open files to `count`; throws if the shell doesn't allow that.
func needDescriptors(_ count: Int) throws {
  guard raiseDescriptorLimit(to: count) >= count else {
    throw TestFailure("this shell allows too few open files (ulimit -Hn)")
  }
}
