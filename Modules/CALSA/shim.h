// What Swift can't import of alsa-lib by itself: the alloca macros and the variadic error handler.
#pragma once
#include <alsa/asoundlib.h>

static inline void calsa_ignore_error(const char *file, int line, const char *function, int err, const char *fmt,
                                      ...) {
  (void)file, (void)line, (void)function, (void)err, (void)fmt;
}

/// alsa-lib writes to standard error by itself; every error also comes back as a status, which is what we report.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_ignore_error); }
