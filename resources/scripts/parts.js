// Parts of a page that is too large to be read whole: small subtrees near the viewport and around a text that is looked
// for, what speaks up by itself, what changed last wherever it stands, and what was read before, so that it does not seem
// gone; an open modal instead of the rest.

const PART_SIZE = 300, PARTS = 80, PARTS_SIZE = 2400, NEAR_VIEW = 50, PLACES = 24, PLACE_SIZE = 40;
const SEARCH_BUDGET_MS = 1200, LONG_TEXT = 40000;
const SPEAKING = '[role=status], [role=alert], [role=log], [aria-live], output';
const ITEM = 'tr, li, [role=row], [role=listitem], [role=treeitem], [role=option], article, dt, dd';
const SAID = '[aria-label], [alt], [title], [placeholder], [href], input, textarea';

function parts(first, wanted = '') {
  const sizes = sizesOf(document.body), modal = openModal(), chosen = new Set(), texts = JSON.parse(decodeURIComponent(wanted) || '[]');
  let taken = 0;
  const fits = element => chosen.size < PARTS && taken + (sizes.get(element) ?? Infinity) <= PARTS_SIZE;
  const take = element => { if (fits(element) && !chosen.has(element)) { chosen.add(element); taken += sizes.get(element); } };
  const found = texts.length ? placesOf(texts, sizes) : null;
  if (found) firstShown(found.places).forEach(take);
  if (!modal) document.querySelectorAll(SPEAKING).forEach(element => { if (sizes.get(element) <= PLACE_SIZE && isShown(element)) take(element); });
  if (!modal) lastChanged(sizes).forEach(take);
  nearView(modal ?? document.body, sizes).forEach(take);
  if (!modal) state().read.map(one => one.deref()).filter(one => one && plain(one).isConnected).reverse().forEach(take);
  const whole = [...chosen].filter(element => ![...ancestorsOf(element)].some(at => chosen.has(at)));
  whole.sort((one, other) => (plain(one).compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  state().parts = new Map(whole.map((element, i) => [String(+first + i), element]));
  state().read = whole.map(element => new WeakRef(element));
  return { document: state().id, elements: sizes.get(document.body) ?? 0, taken, parts: whole.length, places: found?.places.size ?? 0, searched: Math.min(found?.searched ?? 0, sizes.get(document.body) ?? 0) };
}

/** The page as it was loaded is no change: what is counted began after its first look. */
function lastChanged(sizes) {
  const { changed, read } = state();
  state().changed = [];
  const there = read.length ? changed.map(one => one.deref()).filter(one => one && plain(one).isConnected) : [];
  return there.reverse().filter(element => sizes.get(element) <= PLACE_SIZE && isShown(element));
}

function firstShown(places) {
  const shown = [];
  for (const place of places) if (isShown(place) && shown.push(place) === PLACES) break;
  return shown;
}

function* ancestorsOf(element) {
  for (let at = parentOf(element); at; at = parentOf(at)) yield at;
}

function nearView(start, sizes) {
  const chosen = [];
  const isNear = box => box.bottom > -innerHeight / 2 && box.top < innerHeight * 1.5;
  const choose = element => {
    if (chosen.length === NEAR_VIEW || NOT_CONTENT.test(element.localName)) return;
    const box = plain(element).getBoundingClientRect();
    const boxless = box.width === 0 && box.height === 0;
    if (!boxless && !isNear(box)) return;
    if (sizes.get(element) <= PART_SIZE && !boxless) { chosen.push(element); return; }
    for (const child of [...plain(element).children, ...(plain(element).shadowRoot?.children ?? [])]) choose(child);
  };
  if (start) choose(start);
  return chosen;
}

/** Where a text stands in the whole document: the row, the item or the small block around each place, in page order. */
function placesOf(texts, sizes) {
  const until = performance.now() + SEARCH_BUDGET_MS, wanted = texts.map(folded).filter(Boolean), places = new Set();
  const keys = wanted.map(text => text.split(' ').reduce((one, other) => (other.length > one.length ? other : one)));
  let looked = 0;
  for (const root of [document.body, ...shadowRootsOf(sizes)]) {
    for (const element of root.querySelectorAll(SAID)) if (says(element, wanted)) places.add(placeOf(element, sizes));
    const texts = document.createNodeIterator(root, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      looked += 1;
      if (looked % 2000 === 0 && performance.now() > until) return { places, searched: looked };
      const read = node.nodeValue.toLowerCase();
      if (keys.some(key => read.includes(key))) {
        const holder = holderOf(node, wanted, sizes);
        if (holder) places.add(placeOf(holder, sizes));
      }
    }
  }
  return { places, searched: Infinity };
}

const shadowRootsOf = sizes => [...sizes.keys()].filter(element => plain(element).shadowRoot).map(element => plain(element).shadowRoot);

const folded = text => text.toLowerCase().replace(/\s+/g, ' ').trim();
const holds = (text, wanted) => { const read = folded(text || ''); return read !== '' && wanted.some(one => read.includes(one)); };

/** The element whose own words hold the text, or the smallest small block that holds it in words of several elements. */
function holderOf(node, wanted, sizes) {
  for (let at = node.parentElement; at && (sizes.get(at) ?? Infinity) <= PLACE_SIZE; at = plain(at).parentElement) {
    if (NOT_CONTENT.test(at.localName)) return null;
    if (holds(plain(at).textContent, wanted)) return at;
  }
  return holds(node.nodeValue, wanted) ? node.parentElement : null;
}

/** Whether it says so beside its text: by its name, its value, its address. */
function says(element, wanted) {
  const it = plain(element);
  const words = ['aria-label', 'alt', 'title', 'placeholder', 'href'].map(name => it.getAttribute(name));
  if (/^(input|textarea)$/.test(it.localName) && !rememberSecret(element)) words.push(shownValue(element));
  return words.some(word => word && holds(word, wanted));
}

function placeOf(element, sizes) {
  const item = plain(element).closest(ITEM);
  if (item && sizes.get(item) <= PART_SIZE) return item;
  let place = element;
  for (let at = parentOf(element); at && at !== document.body && sizes.get(at) <= PLACE_SIZE; at = parentOf(at)) place = at;
  return place;
}

/** The length of all text that is content. */
function charactersOf(root) {
  if (!root) return 0;
  const aside = [...root.querySelectorAll('script, style, template')].reduce((sum, element) => sum + element.textContent.length, 0);
  return root.textContent.length - aside;
}

/** A text without structure that is longer than anybody reads weighs as much as many elements. */
function weightOf(element) {
  let length = 0;
  for (let node = element.firstChild; node; node = node.nextSibling) if (node.nodeType === Node.TEXT_NODE) length += node.length;
  return length > LONG_TEXT ? 1 + Math.floor(length / 100) : 1;
}

function sizesOf(root) {
  const sizes = new Map();
  if (!root) return sizes;
  const elements = [root, ...everyElement(root)];
  for (const element of elements) sizes.set(element, weightOf(element));
  for (let i = elements.length - 1; i > 0; i -= 1) {
    const parent = elements[i].parentNode.host ?? elements[i].parentNode;
    sizes.set(parent, (sizes.get(parent) ?? 0) + sizes.get(elements[i]));
  }
  return sizes;
}
