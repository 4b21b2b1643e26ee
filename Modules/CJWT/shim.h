#pragma once
#include <limits.h>
#include <jwt.h>
#include <stdlib.h>
