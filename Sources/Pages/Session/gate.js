// Keeps what somebody may not do out of the document.

const parts = new Map([...document.querySelectorAll("[id]")].map((node) => [node.id, node]));
const gated = [...document.querySelectorAll("[data-needs]")]
  .map((node) => ({ node, mark: document.createComment("") }));

// An element of the page by its id, whether it is in the document or not.
export const part = (id) => parts.get(id);

export function permit(rights) {
  for (const { node, mark } of gated) {
    const isAllowed = rights.includes(node.dataset.needs);
    if (isAllowed && mark.parentNode !== null) mark.replaceWith(node);
    else if (!isAllowed && node.parentNode !== null) node.replaceWith(mark);
  }
}
