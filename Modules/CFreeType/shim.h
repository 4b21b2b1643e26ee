#pragma once
#include <ft2build.h>
#include FT_FREETYPE_H

static const FT_Int32 cft_FT_LOAD_RENDER = FT_LOAD_RENDER;
static const FT_Int32 cft_FT_LOAD_DEFAULT = FT_LOAD_DEFAULT;
