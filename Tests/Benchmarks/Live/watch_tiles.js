// Reads the marks in the pictures of two members, watches where all tiles are, and whether they play.
// After the side of a cell and the number of them in a row, the ids of the two.
const [side, columns, ...marked] = arguments;
const marks = new MarkReader(side, columns);
const seen = window.seen = { pictures: [], unreadable: 0, moves: [], speakers: [], frames: {} };
const tile = (id) => document.querySelector(`[data-member="${id}"]`);

// A picture is seen when the browser expects to display it. Another element may take the place of the one that plays.
function watch(id, video) {
  const picture = (now, { expectedDisplayTime }) => {
    if (!video.isConnected) return;
    const found = marks.read(video);
    if (found) seen.pictures.push([id, ...found, Math.max(now, expectedDisplayTime)]);
    else seen.unreadable += 1;
    video.requestVideoFrameCallback(picture);
  };
  video.requestVideoFrameCallback(picture);
}

const watched = new WeakSet();
const places = new Map();
setInterval(() => {
  for (const node of document.querySelectorAll("[data-member]")) {
    const id = node.dataset.member;
    const video = node.querySelector("video");
    if (marked.includes(id) && video !== null && !watched.has(video)) {
      watched.add(video);
      watch(id, video);
    }
    if (video !== null) seen.frames[id] = video.getVideoPlaybackQuality().totalVideoFrames;
    if (node.parentNode.tagName !== "LI") continue;
    const { left, top, width, height } = node.getBoundingClientRect();
    const place = [left, top, width, height].map(Math.round).join(" ");
    if (places.has(id) && places.get(id) !== place) seen.moves.push([id, places.get(id), place]);
    places.set(id, place);
  }
  const speaker = document.querySelector("[data-member].speaker")?.dataset.member ?? null;
  if (speaker !== null && seen.speakers.at(-1) !== speaker) seen.speakers.push(speaker);
}, 100);
