// The files of Sources that the program carries with it: pages, and the descriptions of the APIs.
#pragma once
#include <stddef.h>

typedef struct {
  /// Below Sources.
  const char *path;
  const unsigned char *bytes;
  size_t count;
} cpages_file;

/// `cpages_count` of them.
extern const cpages_file *cpages_table(void);
extern const size_t cpages_count;
