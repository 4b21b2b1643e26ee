// What Swift can't import from libsrt directly: macros with casts.
#pragma once
#include <srt/srt.h>
#include <srt/access_control.h>
