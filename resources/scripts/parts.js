// Parts of a page that is too large to be read whole: small subtrees near the viewport, an open modal instead of the rest.

const PART_SIZE = 300, PARTS = 60, PARTS_SIZE = 2000;

function parts(first) {
  const chosen = [], sizes = sizesOf(document.body);
  let taken = 0;
  const isNear = box => box.bottom > -innerHeight / 2 && box.top < innerHeight * 1.5;
  const choose = element => {
    if (chosen.length === PARTS || taken > PARTS_SIZE || NOT_CONTENT.test(element.localName)) return;
    const box = element.getBoundingClientRect();
    const boxless = box.width === 0 && box.height === 0;
    if (!boxless && !isNear(box)) return;
    if (sizes.get(element) <= PART_SIZE && !boxless) { chosen.push(element); taken += sizes.get(element); return; }
    for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])]) choose(child);
  };
  const start = openModal() ?? document.body;
  if (start) choose(start);
  state().parts.clear();
  chosen.forEach((element, i) => state().parts.set(String(+first + i), element));
  return { document: state().id, elements: sizes.get(document.body) ?? 0, taken, parts: chosen.length };
}

function sizesOf(root) {
  const sizes = new Map();
  if (!root) return sizes;
  const elements = [root, ...everyElement(root)];
  for (let i = elements.length - 1; i >= 0; i -= 1) {
    const element = elements[i], size = (sizes.get(element) ?? 0) + 1;
    sizes.set(element, size);
    const parent = element.parentElement ?? element.getRootNode().host;
    if (parent && element !== root) sizes.set(parent, (sizes.get(parent) ?? 0) + size);
  }
  return sizes;
}
