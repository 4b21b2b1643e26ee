// Each file that the program carries with it: its bytes, and a line of the table below. The compiler notes the files as
// dependencies, so a change of one is built in.
#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char control_api_openapi_json[] = {
#embed "../../Sources/Control/API/openapi.json"
};
static const unsigned char hub_api_openapi_json[] = {
#embed "../../Sources/Hub/API/openapi.json"
};
static const unsigned char box_api_js[] = {
#embed "../../Sources/Pages/Box/api.js"
};
static const unsigned char box_box_html[] = {
#embed "../../Sources/Pages/Box/box.html"
};
static const unsigned char box_choice_js[] = {
#embed "../../Sources/Pages/Box/choice.js"
};
static const unsigned char box_controls_js[] = {
#embed "../../Sources/Pages/Box/controls.js"
};
static const unsigned char box_live_js[] = {
#embed "../../Sources/Pages/Box/live.js"
};
static const unsigned char box_membership_js[] = {
#embed "../../Sources/Pages/Box/membership.js"
};
static const unsigned char box_page_css[] = {
#embed "../../Sources/Pages/Box/page.css"
};
static const unsigned char box_page_js[] = {
#embed "../../Sources/Pages/Box/page.js"
};
static const unsigned char box_preview_js[] = {
#embed "../../Sources/Pages/Box/preview.js"
};
static const unsigned char box_problems_js[] = {
#embed "../../Sources/Pages/Box/problems.js"
};
static const unsigned char box_programme_js[] = {
#embed "../../Sources/Pages/Box/programme.js"
};
static const unsigned char box_session_js[] = {
#embed "../../Sources/Pages/Box/session.js"
};
static const unsigned char box_sources_js[] = {
#embed "../../Sources/Pages/Box/sources.js"
};
static const unsigned char box_view_js[] = {
#embed "../../Sources/Pages/Box/view.js"
};
static const unsigned char box_words_js[] = {
#embed "../../Sources/Pages/Box/words.js"
};
static const unsigned char session_access_js[] = {
#embed "../../Sources/Pages/Session/access.js"
};
static const unsigned char session_acts_js[] = {
#embed "../../Sources/Pages/Session/acts.js"
};
static const unsigned char session_attendance_js[] = {
#embed "../../Sources/Pages/Session/attendance.js"
};
static const unsigned char session_desk_js[] = {
#embed "../../Sources/Pages/Session/desk.js"
};
static const unsigned char session_frames_js[] = {
#embed "../../Sources/Pages/Session/frames.js"
};
static const unsigned char session_gate_js[] = {
#embed "../../Sources/Pages/Session/gate.js"
};
static const unsigned char session_history_js[] = {
#embed "../../Sources/Pages/Session/history.js"
};
static const unsigned char session_hub_js[] = {
#embed "../../Sources/Pages/Session/hub.js"
};
static const unsigned char session_lobby_js[] = {
#embed "../../Sources/Pages/Session/lobby.js"
};
static const unsigned char session_meeting_js[] = {
#embed "../../Sources/Pages/Session/meeting.js"
};
static const unsigned char session_news_js[] = {
#embed "../../Sources/Pages/Session/news.js"
};
static const unsigned char session_past_js[] = {
#embed "../../Sources/Pages/Session/past.js"
};
static const unsigned char session_people_js[] = {
#embed "../../Sources/Pages/Session/people.js"
};
static const unsigned char session_previews_js[] = {
#embed "../../Sources/Pages/Session/previews.js"
};
static const unsigned char session_relay_js[] = {
#embed "../../Sources/Pages/Session/relay.js"
};
static const unsigned char session_rights_js[] = {
#embed "../../Sources/Pages/Session/rights.js"
};
static const unsigned char session_session_css[] = {
#embed "../../Sources/Pages/Session/session.css"
};
static const unsigned char session_session_html[] = {
#embed "../../Sources/Pages/Session/session.html"
};
static const unsigned char session_sizes_js[] = {
#embed "../../Sources/Pages/Session/sizes.js"
};
static const unsigned char session_sound_js[] = {
#embed "../../Sources/Pages/Session/sound.js"
};
static const unsigned char session_source_js[] = {
#embed "../../Sources/Pages/Session/source.js"
};
static const unsigned char session_stage_js[] = {
#embed "../../Sources/Pages/Session/stage.js"
};
static const unsigned char session_state_js[] = {
#embed "../../Sources/Pages/Session/state.js"
};
static const unsigned char session_terms_js[] = {
#embed "../../Sources/Pages/Session/terms.js"
};
static const unsigned char session_tile_js[] = {
#embed "../../Sources/Pages/Session/tile.js"
};
static const unsigned char session_tiles_css[] = {
#embed "../../Sources/Pages/Session/tiles.css"
};
static const unsigned char shared_base_css[] = {
#embed "../../Sources/Pages/Shared/base.css"
};
static const unsigned char shared_chart_js[] = {
#embed "../../Sources/Pages/Shared/chart.js"
};
static const unsigned char shared_dom_js[] = {
#embed "../../Sources/Pages/Shared/dom.js"
};
static const unsigned char shared_fragments_js[] = {
#embed "../../Sources/Pages/Shared/fragments.js"
};
static const unsigned char shared_icon_svg[] = {
#embed "../../Sources/Pages/Shared/icon.svg"
};
static const unsigned char shared_pace_js[] = {
#embed "../../Sources/Pages/Shared/pace.js"
};
static const unsigned char shared_phrases_js[] = {
#embed "../../Sources/Pages/Shared/phrases.js"
};
static const unsigned char shared_playback_js[] = {
#embed "../../Sources/Pages/Shared/playback.js"
};
static const unsigned char shared_requests_js[] = {
#embed "../../Sources/Pages/Shared/requests.js"
};
static const unsigned char shared_stream_js[] = {
#embed "../../Sources/Pages/Shared/stream.js"
};
static const unsigned char shared_stretches_js[] = {
#embed "../../Sources/Pages/Shared/stretches.js"
};

#define FILE(path, bytes) {path, bytes, sizeof(bytes)}

static const cpages_file files[] = {
  FILE("Control/API/openapi.json", control_api_openapi_json),
  FILE("Hub/API/openapi.json", hub_api_openapi_json),
  FILE("Pages/Box/api.js", box_api_js),
  FILE("Pages/Box/box.html", box_box_html),
  FILE("Pages/Box/choice.js", box_choice_js),
  FILE("Pages/Box/controls.js", box_controls_js),
  FILE("Pages/Box/live.js", box_live_js),
  FILE("Pages/Box/membership.js", box_membership_js),
  FILE("Pages/Box/page.css", box_page_css),
  FILE("Pages/Box/page.js", box_page_js),
  FILE("Pages/Box/preview.js", box_preview_js),
  FILE("Pages/Box/problems.js", box_problems_js),
  FILE("Pages/Box/programme.js", box_programme_js),
  FILE("Pages/Box/session.js", box_session_js),
  FILE("Pages/Box/sources.js", box_sources_js),
  FILE("Pages/Box/view.js", box_view_js),
  FILE("Pages/Box/words.js", box_words_js),
  FILE("Pages/Session/access.js", session_access_js),
  FILE("Pages/Session/acts.js", session_acts_js),
  FILE("Pages/Session/attendance.js", session_attendance_js),
  FILE("Pages/Session/desk.js", session_desk_js),
  FILE("Pages/Session/frames.js", session_frames_js),
  FILE("Pages/Session/gate.js", session_gate_js),
  FILE("Pages/Session/history.js", session_history_js),
  FILE("Pages/Session/hub.js", session_hub_js),
  FILE("Pages/Session/lobby.js", session_lobby_js),
  FILE("Pages/Session/meeting.js", session_meeting_js),
  FILE("Pages/Session/news.js", session_news_js),
  FILE("Pages/Session/past.js", session_past_js),
  FILE("Pages/Session/people.js", session_people_js),
  FILE("Pages/Session/previews.js", session_previews_js),
  FILE("Pages/Session/relay.js", session_relay_js),
  FILE("Pages/Session/rights.js", session_rights_js),
  FILE("Pages/Session/session.css", session_session_css),
  FILE("Pages/Session/session.html", session_session_html),
  FILE("Pages/Session/sizes.js", session_sizes_js),
  FILE("Pages/Session/sound.js", session_sound_js),
  FILE("Pages/Session/source.js", session_source_js),
  FILE("Pages/Session/stage.js", session_stage_js),
  FILE("Pages/Session/state.js", session_state_js),
  FILE("Pages/Session/terms.js", session_terms_js),
  FILE("Pages/Session/tile.js", session_tile_js),
  FILE("Pages/Session/tiles.css", session_tiles_css),
  FILE("Pages/Shared/base.css", shared_base_css),
  FILE("Pages/Shared/chart.js", shared_chart_js),
  FILE("Pages/Shared/dom.js", shared_dom_js),
  FILE("Pages/Shared/fragments.js", shared_fragments_js),
  FILE("Pages/Shared/icon.svg", shared_icon_svg),
  FILE("Pages/Shared/pace.js", shared_pace_js),
  FILE("Pages/Shared/phrases.js", shared_phrases_js),
  FILE("Pages/Shared/playback.js", shared_playback_js),
  FILE("Pages/Shared/requests.js", shared_requests_js),
  FILE("Pages/Shared/stream.js", shared_stream_js),
  FILE("Pages/Shared/stretches.js", shared_stretches_js),
};

const size_t cpages_count = sizeof(files) / sizeof(files[0]);

const cpages_file *cpages_table(void) { return files; }
