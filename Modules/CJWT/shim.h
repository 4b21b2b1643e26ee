#pragma once
#include <jwt.h>
#include <stdlib.h>
