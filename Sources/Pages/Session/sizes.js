// Which stream of a member a tile of some size shows, where there is a small one.

// Wider than either, a small picture looks worse than a large one.
const widest = { css: 400, device: 640 };
// About the limit a tile keeps what it has, so that a window that is resized does not ask for one after the other.
const slack = 1.2;

// Whether the small stream is enough for a tile of a width in CSS pixels; `wasSmall`: whether it has been so far.
export function isSmall(width, ratio, wasSmall) {
  const size = Math.max(width / widest.css, (width * ratio) / widest.device);
  return size <= (wasSmall ? slack : 1);
}
