// Questions of a look: what the driver's tree does not say about the nodes it shows.

const LOOK_BUDGET_MS = 400;
const DEEPEST = 600;
const NOT_CONTENT = /^(script|style|noscript|template|option|head|meta|link|title)$/;
const NAMED_BY_HINT = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'switch', 'slider',
  'spinbutton', 'menuitem', 'tab', 'img']);
const MANY = 6000;

/** Before the snapshot: how large the document is, and which values are secret at this moment. */
function watch() {
  const elements = document.getElementsByTagName('*').length;
  const inputs = elements > MANY ? document.querySelectorAll('input') : everyElement(document);
  let shadowed = 0;
  for (const element of inputs) {
    if (plain(element).localName === 'input') rememberSecret(element);
    if (plain(element).getRootNode() !== document) shadowed += 1;
  }
  // The driver reads only what has a body; a drawing or a bare XML file has its text and nothing else.
  const bare = document.body ? null : squeeze(document.documentElement?.textContent, 20000);
  return { document: state().id, movedAt: state().movedAt, elements: elements + shadowed, bare, kind: document.contentType };
}

/** After the snapshot: marks, hints, text nobody sees and the surroundings of every node with a ref. */
function look() {
  const { id, found, secrets, parts } = state();
  const roots = parts.size ? [...parts.values()] : [document.documentElement];
  const seen = { marks: [], texts: [], arounds: [], words: new Map(), known: new Map(), modal: openModal(), prefix: null, closed: new Set(), until: performance.now() + LOOK_BUDGET_MS, whole: true };
  found.clear();
  for (const root of roots) if (root) visit(root, surroundingsOf(root), seen, 0);
  parts.clear();
  const page = document.scrollingElement || document.documentElement;
  return {
    document: id, prefix: seen.prefix, url: location.href, title: document.title, width: innerWidth, height: innerHeight,
    above: page ? page.scrollTop : 0, below: page ? page.scrollHeight - page.scrollTop - innerHeight : 0,
    marks: seen.marks, texts: seen.texts, arounds: seen.arounds, words: [...seen.words.keys()], secrets: [...secrets], whole: seen.whole, closed: [...seen.closed],
    movedAt: state().movedAt, marked: found.size, draws: draws(),
  };
}

/** Whether a canvas stands in the viewport: what is drawn on it no tree shows. */
function draws() {
  return [...document.getElementsByTagName('canvas')].slice(0, 20).some(canvas => {
    const box = canvas.getBoundingClientRect();
    return box.width >= 40 && box.height >= 40 && box.bottom > 0 && box.top < innerHeight && isShown(canvas);
  });
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
    if (mark) noteMarks(element, mark, isUnseen(element, outer, style, box), seen);
    else if (outer.owner && hasOwnText(element) && isUnseen(element, outer, style, box)) seen.texts.push([outer.owner, squeeze(it.textContent, 2000)]);
  } else if (mark && rememberSecret(element)) seen.marks.push([mark.ref, ['password'], '']);
  for (let child = it.firstElementChild; child; child = plain(child).nextElementSibling) visit(child, inner, seen, depth + 1);
  if (it.shadowRoot) for (const child of it.shadowRoot.children) visit(child, inner, seen, depth + 1);
}

/** A custom element that takes room and shows nothing that could be read: its shadow root is closed. */
const isClosed = (element, box) => plain(element).localName.includes('-') && !element.shadowRoot && !element.firstElementChild
  && box.width > 20 && box.height > 10 && !hasOwnText(element) && element.matches(':defined');

function note(element, mark, seen) {
  state().found.set(mark.ref, new WeakRef(element));
  seen.prefix ??= /^f\d+/.exec(mark.ref)?.[0] ?? '';
  const around = aroundOf(element, seen.known);
  if (!around) return;
  if (!seen.words.has(around)) seen.words.set(around, seen.words.size);
  seen.arounds.push([mark.ref, seen.words.get(around)]);
}

function noteMarks(element, mark, unseen, seen) {
  const flags = marksOf(element, seen.modal);
  if (unseen) flags.push('unseen');
  const hint = !mark.name && isNamedByHint(element, mark) ? hintOf(element) : '';
  if (flags.length || hint) seen.marks.push([mark.ref, flags, hint]);
}

function marksOf(target, modal) {
  const marks = [], element = plain(target);
  if (rememberSecret(target)) marks.push('password');
  if (element.readOnly && /^(input|textarea)$/.test(element.localName) || element.getAttribute('aria-readonly') === 'true') marks.push('readonly');
  if (element.required || element.getAttribute('aria-required') === 'true') marks.push('required');
  if (element.getAttribute('draggable') === 'true') marks.push('draggable');
  if (isClickable(element)) marks.push('clickable');
  if (modal && !contains(modal, target) && !contains(target, modal)) marks.push('covered');
  return marks;
}

function isClickable(element) {
  if (element.hasAttribute('onclick') || element.localName === 'summary') return true;
  if (element.isContentEditable) return !element.parentElement?.isContentEditable;
  if (element.localName === 'label') return !!element.control && !isShown(element.control);
  return element.hasAttribute('tabindex') && element.tabIndex >= 0 && element !== document.body && element !== document.documentElement;
}

const isNamedByHint = (element, mark) => NAMED_BY_HINT.has(mark.role)
  || mark.role === 'generic' && !plain(element).innerText?.trim() && (isClickable(element) || getComputedStyle(element).cursor === 'pointer');

function hintOf(hinted) {
  const element = plain(hinted);
  const of = name => element.getAttribute(name);
  const icon = element.querySelector('svg use, svg title, img, i[class], span[class], svg[class]');
  const iconName = icon && (icon.getAttribute('href') || icon.getAttribute('xlink:href') || icon.getAttribute('title')
    || icon.getAttribute('class') || icon.textContent || (icon.getAttribute('src') || '').split('/').pop());
  const words = { title: of('title'), testid: of('data-testid'), name: of('name'), id: element.id, class: of('class'), icon: iconName };
  return Object.entries(words).filter(([, word]) => word).slice(0, 2).map(([kind, word]) => `${kind}=${squeeze(word, 60)}`).join(' ');
}

function visibleText() {
  const pieces = [document.body ? document.body.innerText : ''];
  for (const element of everyElement(document)) {
    if (element.shadowRoot) pieces.push([...element.shadowRoot.children].map(child => child.innerText || '').join('\n'));
    const typed = /^(input|textarea)$/.test(element.localName) && /^(text|search|email|url|tel|number|textarea)$/.test(element.type);
    if (typed && element.value && !rememberSecret(element)) pieces.push(element.value);
  }
  return { document: state().id, text: pieces.filter(Boolean).join('\n').slice(0, 2000000), secrets: [...state().secrets] };
}

/** A region that says itself that it is busy, and can be seen, is not quiet. */
const isBusy = () => [...document.querySelectorAll('[aria-busy=true]')].slice(0, 20).some(isShown);

const quiet = () => ({ document: state().id, still: performance.now() - state().movedAt, ready: document.readyState, busy: isBusy() });
