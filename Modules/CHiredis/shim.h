// Only the reader of replies and the formatter of commands.
#pragma once
#include <limits.h>
#include <hiredis/hiredis.h>
