// Page scripts: these files are joined, in the order given in app/browser/page_script.py, into one selector engine.
// The driver runs it in its isolated world, where the page's own scripts can neither see nor change what it does.
// This one: what is remembered of a document, and how to walk its elements through open shadow roots.

const CHANGED = 12;
const state = () => (document.__pilotfish ??= newState());

function newState() {
  const word = () => Math.random().toString(36).slice(2, 10);
  const fresh = {
    id: word() + word(), // the document's own id: a new one at each navigation or reload
    held: new Map(), // token -> element
    parts: new Map(), // token -> root of a part, while a page is read in parts
    read: [], // weak references to the parts of the newest look, read again at the next one
    listening: new WeakMap(), // element -> kinds of event that it listens for, as the debugger told
    ownRefs: 0, // refs given to what the driver gives none
    roots: new WeakMap(), // element -> its closed shadow root, as the debugger told
    hosts: [], // weak references to elements with a closed root
    closedParts: new Map(), // token -> element in a closed root
    suspects: [], // elements that may have one
    askedInAll: 0,
    asked: new WeakMap(), // element -> how often the debugger was asked
    found: new Map(), // the driver's ref -> weak reference, as of the newest look
    secretFields: new WeakSet(),
    secrets: new Set(),
    movedAt: performance.now(),
    changed: [], // weak references to what changed last, oldest first
    scrolls: 0, // how often anything in the document was scrolled
    heard: new WeakSet(), // roots whose scrolling is counted
  };
  new MutationObserver(changes => {
    fresh.movedAt = performance.now();
    for (const change of changes.slice(-CHANGED)) {
      const added = [...change.addedNodes].filter(node => node.nodeType === Node.ELEMENT_NODE);
      const where = added.length ? added.slice(-CHANGED) : [change.type === 'characterData' ? change.target.parentElement : change.target];
      fresh.changed.push(...where.filter(element => element?.nodeType === Node.ELEMENT_NODE).map(element => new WeakRef(element)));
    }
    fresh.changed = fresh.changed.slice(-CHANGED);
  }).observe(document, {
    subtree: true, childList: true, characterData: true,
    attributeFilter: ['aria-busy', 'aria-checked', 'aria-disabled', 'aria-expanded', 'aria-hidden', 'aria-selected', 'checked',
      'disabled', 'hidden', 'href', 'open', 'selected', 'src', 'value'],
  });
  return fresh;
}

/** How often anything was scrolled since this was first asked; what scrolls in a shadow root is told only there. */
function scrollCount() {
  const fresh = state(), roots = [window];
  for (const element of everyElement(document)) if (rootOf(element)) roots.push(rootOf(element));
  for (const root of roots) {
    if (!fresh.heard.has(root)) root.addEventListener('scroll', () => { fresh.scrolls += 1; }, { capture: true, passive: true });
    fresh.heard.add(root);
  }
  return { document: fresh.id, scrolls: fresh.scrolls };
}

/** The shadow root of an element, also a closed one once the debugger has told it. */
const rootOf = element => plain(element).shadowRoot ?? state().roots.get(element) ?? null;

/** What has the focus in this frame, through shadow roots. */
function focusedElement() {
  let at = document.activeElement;
  while (at && rootOf(at)?.activeElement) at = rootOf(at).activeElement;
  return at;
}

const HELD = 60;

function hold(token, element) {
  const { held } = state();
  held.set(String(token), element);
  while (held.size > HELD) held.delete(held.keys().next().value);
}

function* everyElement(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let element = walker.nextNode(); element; element = walker.nextNode()) {
    yield element;
    const root = rootOf(element);
    if (root) yield* everyElement(root);
  }
}

// A form answers to the names of its fields before its own properties; this asks the form itself.
const OF_ITSELF = { get(form, name) {
  const found = name in HTMLFormElement.prototype ? Reflect.get(HTMLFormElement.prototype, name, form) : form[name];
  return typeof found === 'function' ? found.bind(form) : found;
} };
const plain = element => element instanceof HTMLFormElement ? new Proxy(element, OF_ITSELF) : element;

function parentOf(element) {
  const it = plain(element);
  return it.assignedSlot || it.parentElement || it.getRootNode().host || null;
}

function contains(outer, inner) {
  for (let element = inner; element; element = parentOf(element)) if (element === outer) return true;
  return false;
}

const squeeze = (text, limit) => (text || '').slice(0, 20 * limit).replace(/\s+/g, ' ').trim().slice(0, limit);

const labelsOf = element => [...(element.labels || [])];

const labelledBy = element => (plain(element).getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean)
  .map(id => document.getElementById(id)?.textContent || '').join(' ');
