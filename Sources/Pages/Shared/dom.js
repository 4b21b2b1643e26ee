// Helpers shared by the whole page. Text is never parsed as HTML.

export const element = (id) => document.getElementById(id);

// Leaves unchanged text alone: a live region would be announced again.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function show(node, isShown) {
  if (node.hidden === isShown) node.hidden = !isShown;
}

export function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export function makeSVG(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// Updates a list of terms in place, to keep the user's text selection.
export function setFacts(list, facts) {
  while (list.children.length > facts.length) list.lastElementChild.remove();
  facts.forEach(([term, text], index) => {
    let pair = list.children[index];
    if (!pair) {
      pair = make("div");
      pair.append(make("dt"), make("dd"));
      list.append(pair);
    }
    setText(pair.firstElementChild, term);
    setText(pair.lastElementChild, text);
    pair.classList.toggle("long", text.length > 20);
  });
}

let noticed = 0;

// How many notices there were, to tell whether one is new.
export const noticeCount = () => noticed;

// A message about an action, shown until it is dismissed or another action succeeds.
export function notice(text) {
  noticed += 1;
  show(element("notice"), text !== null);
  setText(element("notice-text"), text ?? "");
}
