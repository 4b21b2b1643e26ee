// What Swift can't import from libunistring directly: macros.
#pragma once
#include <limits.h>
#include <stdlib.h>
#include <uninorm.h>

/// The text in NFC, which the caller frees; NULL without memory, or if it is not UTF-8.
static inline uint8_t *cunistring_compose(const uint8_t *text, size_t length, size_t *composed) {
  return u8_normalize(UNINORM_NFC, text, length, NULL, composed);
}
