// The few things that everything on the page needs. Text only ever becomes text.

export const element = (id) => document.getElementById(id);

// Changes nothing where nothing has changed: a live region would be read out again.
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

// A list of terms, in place, so that what somebody selects there stays selected.
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

// A message about something that was asked for. It stays until it is dismissed or something else succeeds.
export function notice(text, isBad = true) {
  element("notice").classList.toggle("bad", isBad);
  show(element("notice"), text !== null);
  setText(element("notice-text"), text ?? "");
}
