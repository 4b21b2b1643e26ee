// What Swift can't import of libsrt by itself: macros with casts.
#pragma once
#include <srt/srt.h>
#include <srt/access_control.h>
