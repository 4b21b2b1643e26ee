// What Swift can't import from SQLite directly: macros with casts.
#pragma once
#include <limits.h>
#include <sqlite3.h>

/// Binds a copy of the text, which has no address where it is empty.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text ? text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}
