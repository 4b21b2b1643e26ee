// Runs inside the page: which visible texts and edges stand out too little from what is behind them.
const numbers = (colour) => {
  const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
  return { r, g, b, a };
};
const luminance = ({ r, g, b }) => {
  const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const ratio = (a, b) => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};
const behind = (node) => {
  for (; node; node = node.parentElement) {
    const colour = numbers(getComputedStyle(node).backgroundColor);
    if (colour.a === 1) return colour;
    if (colour.a > 0) throw new Error(`a background that can be seen through: ${node.id || node.tagName}`);
  }
  return { r: 255, g: 255, b: 255 };
};
const isSeen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0;
const problems = [];
const seen = { texts: 0, edges: 0 };
const check = (node, what, front, back, least) => {
  const found = ratio(front, back);
  if (found < least) problems.push(`${what} of ${node.id || node.className || node.tagName}: ${found.toFixed(2)}`);
};
for (const node of document.querySelectorAll("body *")) {
  if (!isSeen(node) || node.closest("option, svg[aria-hidden]")) continue;
  const style = getComputedStyle(node);
  const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== "");
  if (hasText || node.matches("select, input")) {
    seen.texts += 1;
    const isLarge = parseFloat(style.fontSize) >= 24;
    const colour = node instanceof SVGElement ? style.fill : style.color;
    check(node, "text", numbers(colour), behind(node), isLarge ? 3 : 4.5);
  }
  if (node.matches("button, select, input, [role=meter]") && !node.disabled) {
    seen.edges += 1;
    check(node, "edge", numbers(style.borderTopColor), behind(node.parentElement), 3);
  }
  if (node.matches("#time-line rect:not(.track)")) {
    seen.edges += 1;
    check(node, "bar", numbers(style.fill === "none" ? style.stroke : style.fill), behind(node), 3);
  }
}
return { problems, ...seen };
