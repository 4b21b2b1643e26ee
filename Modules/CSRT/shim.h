// What Swift can't import from libsrt directly: macros with casts.
#pragma once
#include <limits.h>
#include <srt/srt.h>
#include <srt/access_control.h>
