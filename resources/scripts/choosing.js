// Questions around an act on a control: where to press it, the list that a drawn chooser opens, where something landed.

/** The label of a hidden box, or what listens for a header under its own decoration: pressed in place of the element. */
function standInOf(element) {
  return element && (labelInPlaceOf(element) ?? undecorated(element));
}

function aim(element) {
  const standIn = standInOf(element), pressed = standIn ?? element, box = plain(pressed).getBoundingClientRect();
  const point = standIn && standIn === undecorated(element) ? pointOf(element) : besideInner(pressed);
  const at = point && [point[0] - box.left - pressed.clientLeft, point[1] - box.top - pressed.clientTop];
  return { standIn: !!standIn, at, border: [pressed.clientLeft, pressed.clientTop], toggle: toggleOf(element) };
}

function toggleOf(element) {
  const box = element.localName === 'label' && element.control ? element.control : element;
  if (/^(checkbox|radio)$/.test(box.type)) return shownValue(box);
  return plain(box).hasAttribute('aria-checked') ? shownValue(box) : '';
}

/** A point of the element itself, when its middle is that of a control inside of it; null when the middle will do. */
function besideInner(element) {
  const middle = pointOf(element);
  const isOwn = point => { const hit = deepHit(...point); return hit && contains(element, hit) && !innerControl(hit, element); };
  if (!middle || plain(element).matches(CONTROL) || isOwn(middle) || !contains(element, deepHit(...middle) ?? document.body)) return null;
  const box = plain(element).getBoundingClientRect();
  for (const down of [0.5, 0.15, 0.85]) for (const right of [0.1, 0.9, 0.3, 0.7, 0.5]) {
    const point = [box.left + box.width * right, box.top + box.height * down];
    if (isOwn(point)) return point;
  }
  return null;
}

function innerControl(hit, element) {
  for (let at = hit; at && at !== element; at = parentOf(at)) if (plain(at).matches(CONTROL) || plain(at).isContentEditable) return at;
  return null;
}

const DECORATED_WITHIN = 2;

/** The near ancestor that takes a press on an element for its own, when only a decoration of that ancestor lies above. */
function undecorated(element) {
  const point = pointOf(element), hit = point && deepHit(...point);
  if (!hit || contains(element, hit) || contains(hit, element)) return null;
  return decoratedBy(hit, element);
}

function decoratedBy(hit, element) {
  const it = plain(element), over = plain(hit);
  if (over.textContent.trim() || over.matches(CONTROL) || over.querySelector('*') || listensFor(hit, PRESS)) return null;
  if (listensFor(element, PRESS) || it.onclick || it.matches('a[href], input, select, textarea') || (it.type === 'submit' && it.form)) return null;
  let at = parentOf(element);
  for (let left = DECORATED_WITHIN; at && left && at !== document.body; at = parentOf(at), left -= 1) {
    if (listensFor(at, PRESS) || plain(at).hasAttribute('onclick')) return contains(at, hit) && !isWide(plain(at)) ? at : null;
  }
  return null;
}

// Fields

const PUTS_BACK = /^(change|input)$/;

/** Whether the page hears of a choice and so may put it back; of a page too large to be asked nothing is known. */
function mayPutBack(element) {
  if (document.getElementsByTagName('*').length > MANY || listensFor(document, PUTS_BACK)) return true;
  for (let at = element; at; at = parentOf(at)) if (listensFor(at, PUTS_BACK)) return true;
  return false;
}

const SUGGESTS = /^(list|both|inline)$/;

function suggestsByKey(element) {
  const it = plain(element);
  return it.localName === 'input' && (/^(combobox|searchbox)$/.test(roleOf(element)) || SUGGESTS.test(it.getAttribute('aria-autocomplete') ?? '')
    || it.hasAttribute('aria-haspopup') || it.type === 'search' || it.autocomplete === 'off' || listensFor(element, KEY));
}

/** What a field holds, whether it suggests by key, and what the browser says against what it holds. */
function field(token) {
  const element = state().held.get(token), it = element && plain(element);
  if (!it?.isConnected) return { found: false, value: '', suggests: false, against: '' };
  return { ...value(token), suggests: suggestsByKey(element), against: it.willValidate && !it.validity.valid ? squeeze(it.validationMessage, 160) : '' };
}

/** What an editor shows whose text is drawn beside the small area that takes its keys. */
function drawnText(area) {
  const box = plain(area).getBoundingClientRect();
  if (area.localName !== 'textarea' || box.width > 4 && box.height > 4 && area.checkVisibility({ opacityProperty: true }) && area.value) return null;
  for (let at = area.parentElement, left = 3; at && left; at = at.parentElement, left -= 1) {
    const lines = [...at.querySelectorAll('.view-lines, .CodeMirror-code, .ace_text-layer, pre, code, [role=presentation]')].find(isShown);
    if (lines) return lines.innerText;
  }
  return null;
}

// Lists that a page draws

const LISTS = '[role=listbox], [role=tree], [role=grid]';

function chooser(token) {
  const element = state().held.get(token), it = element && plain(element);
  if (!it) return { kind: 'none' };
  if (it.localName === 'select') return { kind: 'native', heard: mayPutBack(element) };
  const role = roleOf(element), typed = it.localName === 'input' && /^(text|search|email|url|tel)$/.test(it.type);
  state().shownBefore = new WeakSet(texts());
  if (role === 'listbox' || it.querySelector('[role=option]')) return { kind: 'list' };
  const opens = role === 'combobox' || /^(listbox|tree|grid)$/.test(it.getAttribute('aria-haspopup') ?? '') || SUGGESTS.test(it.getAttribute('aria-autocomplete') ?? '');
  if (typed && it.list) return { kind: 'named', options: [...it.list.options].map((one, index) => ({ index, label: squeeze(one.label || one.value, 200), value: one.value, disabled: one.disabled })) };
  return { kind: typed && (opens || suggestsByKey(element)) ? 'typed' : opens ? 'opens' : it.querySelector('input[role=combobox]') ? 'opens' : 'none', readonly: it.readOnly === true };
}

/** What says a text of its own and can be seen. */
function texts() {
  const found = [];
  for (const element of everyElement(document)) if (hasOwnText(element) && isShown(element)) found.push(element);
  return found;
}

/** The options that stand open for a chooser: of the lists it names, else the lists that are open, else what came up new. */
function options(token) {
  const element = state().held.get(token);
  const found = element && plain(element).isConnected ? optionsOf(element) : [];
  state().options = found.map(one => new WeakRef(one));
  return { found: found.length, options: found.slice(0, 400).map((one, index) => ({ index, label: squeeze(plain(one).getAttribute('aria-label') || one.innerText || one.textContent, 200), value: '', disabled: isDisabled(one), choice: /^(option|treeitem|gridcell|menuitemradio)$/.test(roleOf(one)), control: one.matches(PRESSED) || !!pressedAbove(one) })) };
}

const pressedAbove = element => plain(element).closest('button, a[href], [type=submit], [role=button], [role=menuitem]');

function optionsOf(element) {
  const it = plain(element);
  const inside = [...it.querySelectorAll('[role=option]')].filter(isShown);
  if (inside.length) return inside;
  const named = ['aria-controls', 'aria-owns'].flatMap(name => (it.getAttribute(name) ?? '').split(/\s+/)).map(id => id && it.getRootNode().getElementById?.(id)).filter(Boolean);
  const others = named.length ? named : [...document.querySelectorAll(LISTS)].filter(list => !contains(list, element)), opened = others.filter(isNew);
  const lists = named.length || opened.length ? [...named, ...(named.length ? [] : opened)] : it.ariaExpanded === 'true' ? others : [];
  const offered = lists.filter(isShown).flatMap(list => [...list.querySelectorAll('[role=option], [role=treeitem], [role=gridcell]')]).filter(isShown);
  if (offered.length) return offered;
  const fresh = texts().filter(one => !state().shownBefore?.has(one) && !contains(element, one));
  return [...new Set(fresh.map(one => pressedAbove(one) ?? one.closest('[role=option], li, [role=menuitemradio]') ?? one))];
}

const isNew = list => [...list.querySelectorAll('*')].some(one => hasOwnText(one) && !state().shownBefore?.has(one));

const option = index => state().options?.[+index]?.deref();

/** What a chooser shows as chosen. */
function chosen(token) {
  const element = state().held.get(token), it = element && plain(element);
  if (!it?.isConnected) return { found: false, value: '' };
  const picked = [...it.querySelectorAll('[role=option][aria-selected=true]')].map(one => squeeze(one.innerText, 100));
  const typed = it.localName === 'input' ? it : it.querySelector('input:not([type=hidden])');
  const value = picked.length ? picked.join(', ') : (typed && shownValue(typed)) || squeeze(it.innerText, 200);
  return { found: true, value };
}

// Where something landed

function place(token) {
  const element = state().held.get(token), it = element && plain(element);
  if (!it?.isConnected) return { found: false, moved: false, where: '' };
  const box = it.getBoundingClientRect(), before = state().places?.get(element);
  const now = { parent: it.parentElement, previous: it.previousElementSibling, next: it.nextElementSibling, left: box.left + scrollX, top: box.top + scrollY };
  (state().places ??= new WeakMap()).set(element, now);
  if (!before) return { found: true, moved: false, where: '' };
  if (before.parent !== now.parent || before.previous !== now.previous || before.next !== now.next) return { found: true, moved: true, where: placeWords(now) };
  const right = Math.round(now.left - before.left), down = Math.round(now.top - before.top);
  return { found: true, moved: Math.abs(right) + Math.abs(down) > 2, where: `moved by ${right}, ${down} px` };
}

function placeWords({ parent, previous, next }) {
  const holder = parent && parent.closest('[aria-label], section, ul, ol, [role=list], [role=group], [role=region], fieldset, td') || parent;
  const name = holder ? squeeze(holder.getAttribute('aria-label') || labelOf(holder), 60) || roleOf(holder) || holder.localName : '';
  const words = one => squeeze(one.innerText, 40);
  return [name && `in ${name}`, previous && words(previous) ? `after ${words(previous)}` : 'first', next && words(next) ? `before ${words(next)}` : ''].filter(Boolean).join(', ');
}

// Scrollers

/** Scrolls the nearest scroller that can still move that way, and says where it stands and what part of it is in view. */
function scroll(token, x, y) {
  const element = state().held.get(token);
  for (let at = element; at; at = parentOf(at)) {
    const style = getComputedStyle(at), root = at === document.scrollingElement;
    if (!root && !/auto|scroll|overlay/.test(+y ? style.overflowY : style.overflowX)) continue;
    const before = [at.scrollLeft, at.scrollTop];
    plain(at).scrollBy({ left: +x, top: +y, behavior: 'instant' });
    if (before[0] !== at.scrollLeft || before[1] !== at.scrollTop) return { moved: true, where: root ? '' : whereIn(at, +y !== 0) };
  }
  return { moved: false, where: '' };
}

function whereIn(scroller, down) {
  const at = down ? scroller.scrollTop : scroller.scrollLeft, most = down ? scroller.scrollHeight - scroller.clientHeight : scroller.scrollWidth - scroller.clientWidth;
  const seen = down ? seenIn(scroller) : '';
  return `${Math.round(at)} of ${Math.round(most)} px${at >= most - 1 ? ' (the end)' : ''}${seen && `, ${seen}`}`;
}

function seenIn(scroller) {
  const outer = scroller.getBoundingClientRect(), isIn = one => { const box = one.getBoundingClientRect(); return box.height > 0 && box.bottom > outer.top + 1 && box.top < outer.bottom - 1; };
  const told = [...scroller.querySelectorAll('[aria-posinset]')].filter(isIn);
  if (told.length) return `items ${told[0].ariaPosInSet}-${told[told.length - 1].ariaPosInSet} of ${told[0].ariaSetSize}`;
  let list = scroller;
  while (list.children.length === 1) list = list.firstElementChild;
  const items = list.localName === 'table' ? [...list.rows] : [...list.children], first = items.findIndex(isIn), last = items.findLastIndex(isIn);
  return items.length >= 5 && first >= 0 ? `items ${first + 1}-${last + 1} of ${items.length} so far` : '';
}
