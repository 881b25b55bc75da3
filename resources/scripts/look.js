// Questions of a look: what the driver's tree does not say about the nodes it shows.

const LOOK_BUDGET_MS = 400;
const DEEPEST = 600;
const NOT_CONTENT = /^(script|style|noscript|template|option|head|meta|link|title)$/;
const MANY = 6000;

/** Before the snapshot: how large the document is, and which values are secret at this moment. */
function watch() {
  const elements = document.getElementsByTagName('*').length;
  const inputs = elements > MANY ? document.querySelectorAll('input') : everyElement(document);
  let shadowed = 0;
  watchTaken();
  state().suspects = [];
  for (const element of inputs) {
    if (plain(element).localName === 'input') rememberSecret(element);
    if (plain(element).getRootNode() !== document) shadowed += 1;
    if (elements <= MANY) suspect(element);
  }
  // The driver reads only what has a body; a drawing or a bare XML file has its text and nothing else.
  const bare = document.body ? null : squeeze(document.documentElement?.textContent, 20000);
  return { document: state().id, movedAt: state().movedAt, elements: elements + shadowed, characters: charactersOf(document.body), bare, suspects: state().suspects.length, closed: closedHosts().length };
}

const CAN_HOST = /^(article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
const SUSPECTS = 20, ASKED = 3, ASKED_IN_ALL = 80;

/** Something that may have a closed root: a custom element, or a block that takes room and holds nothing. */
function suspect(element) {
  const it = plain(element), { suspects, asked, roots } = state();
  if (suspects.length === SUSPECTS || it.shadowRoot || roots.has(element) || (asked.get(element) ?? 0) >= (it.firstElementChild ? 1 : ASKED)) return;
  if (!(it.localName.includes('-') ? it.matches(':defined') : CAN_HOST.test(it.localName) && !it.firstChild)) return;
  const box = it.getBoundingClientRect();
  if (box.width <= 20 || box.height <= 10 || state().askedInAll >= ASKED_IN_ALL) return;
  state().askedInAll += 1;
  asked.set(element, (asked.get(element) ?? 0) + 1);
  suspects.push(element);
}

const closedHosts = () => state().hosts.map(one => one.deref()).filter(host => host && plain(host).isConnected && isShown(host));

/** The closed roots that can be seen, each as the parts that the driver can be asked for, with what it stands in. */
function closed(first) {
  const parts = new Map(), found = [];
  for (const host of closedHosts().slice(0, SUSPECTS)) {
    const above = [];
    for (let at = host; at && above.length < NEAR; at = parentOf(at)) if (at._ariaRef) above.push(at._ariaRef.ref);
    const tokens = [];
    for (const child of rootOf(host).children) if (!NOT_CONTENT.test(child.localName) && parts.size < PARTS) {
      tokens.push(+first + parts.size);
      parts.set(String(+first + parts.size), child);
    }
    const box = plain(host).getBoundingClientRect();
    found.push({ host: host.localName, above, tokens, box: [box.x, box.y, box.width, box.height] });
  }
  state().closedParts = parts;
  return { document: state().id, found };
}

/** After the snapshot: marks, hints, text nobody sees and the surroundings of every node with a ref. */
function look() {
  const { id, found, secrets, parts } = state();
  const roots = parts.size ? [...parts.values()] : [document.documentElement];
  const seen = { marks: [], left: [], texts: [], arounds: [], words: new Map(), known: new Map(), modal: openModal(), prefix: null, closed: new Set(), until: performance.now() + LOOK_BUDGET_MS, whole: true };
  found.clear();
  for (const root of roots) if (root) visit(root, surroundingsOf(root), seen, 0);
  for (const element of takenAway()) if (!found.has(element._ariaRef.ref)) noteAround(element, element._ariaRef, seen);
  parts.clear();
  const page = document.scrollingElement || document.documentElement;
  return {
    document: id, prefix: seen.prefix, url: location.href, title: document.title, width: innerWidth, height: innerHeight,
    above: page ? page.scrollTop : 0, below: page ? page.scrollHeight - page.scrollTop - innerHeight : 0,
    marks: seen.marks, left: seen.left, texts: seen.texts, arounds: seen.arounds, words: [...seen.words.keys()], secrets: [...secrets], whole: seen.whole, closed: [...seen.closed],
    movedAt: state().movedAt, marked: found.size, draws: canvasesInView().length > 0, drawn: drawnShare(), paper: document.contentType === 'application/pdf',
  };
}

/** Where canvases stand in the viewport: what is drawn on them no tree shows. */
function canvasesInView() {
  return [...document.getElementsByTagName('canvas')].slice(0, 20).filter(isShown).map(canvas => canvas.getBoundingClientRect())
    .filter(box => box.width >= 40 && box.height >= 40 && box.bottom > 0 && box.top < innerHeight);
}

/** The part of the viewport that holds them all; null when there is none. */
function drawings() {
  const boxes = canvasesInView(), x = Math.max(Math.min(...boxes.map(box => box.left)), 0), y = Math.max(Math.min(...boxes.map(box => box.top)), 0);
  const width = Math.min(Math.max(...boxes.map(box => box.right)), innerWidth) - x, height = Math.min(Math.max(...boxes.map(box => box.bottom)), innerHeight) - y;
  return { box: width >= 1 && height >= 1 ? { x, y, width, height } : null };
}

function visit(element, outer, seen, depth) {
  const it = plain(element);
  if (NOT_CONTENT.test(it.localName) || depth > DEEPEST) return;
  const mark = element._ariaRef;
  if (mark) note(element, mark, seen);
  else if (it.localName === 'input') rememberSecret(element);
  if (seen.whole && performance.now() > seen.until) seen.whole = false;
  let inner = outer;
  if (seen.whole) {
    const style = getComputedStyle(element);
    if (style.display === 'none') return;
    const box = it.getBoundingClientRect();
    inner = within(outer, element, style, box);
    if (isClosed(element, box)) seen.closed.add(element.localName);
    const given = mark ? null : ownRef(element, style, seen.prefix);
    if (given) note(element, given, seen);
    if (mark ?? given) noteMarks(element, mark ?? given, isUnseen(element, outer, style, box), seen, style, box);
    else if (outer.owner && hasOwnText(element) && isUnseen(element, outer, style, box)) seen.texts.push([outer.owner, squeeze(it.textContent, 2000)]);
  } else if (mark && rememberSecret(element)) seen.marks.push([mark.ref, ['password'], '']);
  for (let child = it.firstElementChild; child; child = plain(child).nextElementSibling) visit(child, inner, seen, depth + 1);
  const root = rootOf(element);
  if (root) for (const child of root.children) visit(child, inner, seen, depth + 1);
}

/** A custom element that takes room and shows nothing that could be read: its shadow root is closed. */
const isClosed = (element, box) => plain(element).localName.includes('-') && !rootOf(element) && !element.firstElementChild
  && box.width > 20 && box.height > 10 && !hasOwnText(element) && element.matches(':defined');

function note(element, mark, seen) {
  state().found.set(mark.ref, new WeakRef(element));
  seen.prefix ??= /^f\d+/.exec(mark.ref)?.[0] ?? '';
  noteAround(element, mark, seen);
}

function noteAround(element, mark, seen) {
  const around = aroundOf(element, seen.known);
  if (!around) return;
  if (!seen.words.has(around)) seen.words.set(around, seen.words.size);
  seen.arounds.push([mark.ref, seen.words.get(around)]);
}

function noteMarks(element, mark, unseen, seen, style, box) {
  const flags = marksOf(element, seen.modal, style);
  if (unseen) flags.push('unseen');
  const hint = hintFor(element, mark), stands = standsFor(plain(element));
  if (mark.isOwn && !flags.includes('clickable')) flags.push('clickable');
  if (flags.length || hint || stands) seen.marks.push([mark.ref, flags, hint, stands]);
  if (unseen || !mark.isOwn && !flags.some(flag => /^(clickable|draggable|editable|scrolls)$/.test(flag))) return;
  const left = leftOut(element, mark, box);
  if (left) seen.left.push(left);
}

function marksOf(target, modal, style) {
  const marks = [], element = plain(target);
  if (rememberSecret(target)) marks.push('password');
  if (element.readOnly && /^(input|textarea)$/.test(element.localName) || element.getAttribute('aria-readonly') === 'true') marks.push('readonly');
  if (element.required || element.getAttribute('aria-required') === 'true') marks.push('required');
  if (element.getAttribute('draggable') === 'true') marks.push('draggable');
  if (isClickable(target)) marks.push('clickable');
  marks.push(...stateMarks(target, style));
  if (modal && !contains(modal, target) && !contains(target, modal)) marks.push('covered');
  return marks;
}

function visibleText() {
  const pieces = [document.body ? document.body.innerText : ''];
  for (const element of everyElement(document)) {
    if (rootOf(element)) pieces.push([...rootOf(element).children].map(child => child.innerText || '').join('\n'));
    const typed = /^(input|textarea)$/.test(element.localName) && /^(text|search|email|url|tel|number|textarea)$/.test(element.type);
    if (typed && element.value && !rememberSecret(element)) pieces.push(element.value);
  }
  return { document: state().id, text: pieces.filter(Boolean).join('\n').slice(0, 2000000), secrets: [...state().secrets] };
}
