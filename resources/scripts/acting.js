// What can be acted on although no role says so, and what tells a control's state or kind where the tree does not.

const NAMED_BY_HINT = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'switch', 'slider',
  'spinbutton', 'menuitem', 'tab', 'img']);
const CONTROL = 'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=menuitem], [role=tab], [role=option], [role=checkbox], [role=radio], [role=switch]';
const ITEMS = 'li, tr, th, [role=row], [role=listitem], [role=treeitem], [role=columnheader]';
const PRESS = /^(click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend)$/;
const DROP = /^(drop|dragover|dragenter)$/;
const KEY = /^key/;
const DELEGATED_WITHIN = 4;
const SHAPE = /^(rect|circle|ellipse|polygon|polyline|path|line|g|text|use|image)$/;

/** The kinds of event that the debugger found listened for on an element; a page script cannot know them by itself. */
const listensFor = (element, kinds) => (state().listening.get(element) ?? []).some(kind => kinds.test(kind));

function isClickable(clickable) {
  const element = plain(clickable);
  if (element.hasAttribute('onclick') || element.localName === 'summary') return true;
  if (element.isContentEditable) return isEditor(element);
  if (element.localName === 'label') return !!element.control && !isShown(element.control);
  if (element === document.body || element === document.documentElement) return false;
  if (element.hasAttribute('tabindex') && element.tabIndex >= 0) return true;
  return element.hasAttribute('aria-haspopup') || element.hasAttribute('aria-sort') || isListening(clickable);
}

const isEditor = element => element.isContentEditable && !element.parentElement?.isContentEditable;

/** Whether a press on it does something: it listens, or it is an item of something near that listens for its items. */
function isListening(element) {
  const it = plain(element);
  if (listensFor(element, PRESS) || listensFor(element, DROP)) return !isWide(it) && !plain(it.parentElement ?? it).closest(CONTROL);
  if (!it.matches(ITEMS) || it.querySelector(CONTROL)) return false;
  let at = parentOf(element);
  for (let left = DELEGATED_WITHIN; at && left && at !== document.body; at = parentOf(at), left -= 1) if (listensFor(at, PRESS)) return true;
  return false;
}

/** What takes half of the window, or a quarter with controls in it, listens for what is in it. */
function isWide(element) {
  const box = element.getBoundingClientRect(), part = box.width * box.height / (innerWidth * innerHeight || 1);
  return part > 0.5 || part > 0.25 && element.querySelector(CONTROL) !== null;
}

const scrollsMore = (element, style) => /auto|scroll/.test(style.overflowY) && element.clientHeight > 40
  && element.scrollHeight - element.clientHeight > 60 && element !== document.body && element !== document.documentElement;

// State

const CHOSEN = /(^|[-_])(selected|active|current|chosen|checked|picked)$/i;

/** By its class only, where nothing else tells and others of its kind are without. */
function looksChosen(element) {
  const at = isChosen(element) ? element : element.parentElement?.children.length === 1 && isChosen(element.parentElement) ? element.parentElement : null;
  const others = at?.parentElement ? [...at.parentElement.children].filter(other => other !== at && other.localName === at.localName) : [];
  return others.some(other => !isChosen(other));
}

const isChosen = element => [...element.classList].some(word => CHOSEN.test(word));
const tellsItself = element => ['aria-selected', 'aria-checked', 'aria-pressed', 'aria-current'].some(name => element.hasAttribute(name)) || 'checked' in element;

function stateMarks(element, style) {
  const marks = [], it = plain(element);
  if (it.hasAttribute('aria-current') && it.getAttribute('aria-current') !== 'false') marks.push('current');
  else if (it.classList.length + (it.parentElement?.classList.length ?? 0) && !tellsItself(it) && looksChosen(it)) marks.push('selected');
  if (it.validity && it.matches(':user-invalid')) marks.push('invalid');
  if (isEditor(it) && (element._ariaRef?.role ?? 'generic') === 'generic') marks.push('editable');
  if (style && scrollsMore(it, style)) marks.push('scrolls');
  return marks;
}

/** The checkbox or radio that a label stands for, because it cannot be seen itself: its kind and whether it is checked. */
function standsFor(element) {
  const control = element.localName === 'label' ? element.control : null;
  if (!control || !/^(checkbox|radio)$/.test(control.type) || isShown(control)) return null;
  return [control.type, control.checked];
}

// Hints

function hintFor(element, mark) {
  const it = plain(element);
  if (it.validity && it.matches(':user-invalid')) return squeeze(it.validationMessage, 120);
  if (it.localName === 'input') { const typed = typeHint(it); if (typed) return typed; }
  const part = partHint(it);
  if (part) return part;
  if (!mark.name && isNamedByHint(element, mark)) return hintOf(element);
  return listensFor(element, /^dblclick$/) && !listensFor(element, /^(click|mousedown)$/) ? 'double-click' : '';
}

const LIMITED = /^(date|time|datetime-local|month|week|number|range)$/;

/** What form and limits a typed field has; a person sees them in its own picker. */
function typeHint(field) {
  const limits = LIMITED.test(field.type) && (field.min || field.max) ? ` ${field.min}..${field.max}` : '';
  const step = limits && field.step && field.step !== '1' ? ` step ${field.step}` : '';
  if (/^(number|range)$/.test(field.type)) return `${limits}${step}`.trim();
  if (LIMITED.test(field.type) || field.type === 'color') return `${field.type}${limits}${step}`;
  return field.pattern ? `pattern ${squeeze(field.pattern, 40)}` : '';
}

/** Which part of a long list or table is drawn, where it says so itself. */
function partHint(element) {
  if (!/^(list|listbox|grid|treegrid|table|tree|feed|rowgroup|menu)$/.test(roleOf(element))) return '';
  const items = [...element.querySelectorAll('[aria-posinset]')], last = items[items.length - 1];
  if (last) return `items ${items[0].ariaPosInSet}-${last.ariaPosInSet} of ${last.ariaSetSize > 0 ? last.ariaSetSize : 'more'}`;
  const rows = element.ariaRowCount ? [...element.querySelectorAll('[aria-rowindex]')] : [];
  return rows.length ? `rows ${rows[0].ariaRowIndex}-${rows[rows.length - 1].ariaRowIndex} of ${element.ariaRowCount}` : '';
}

const isNamedByHint = (element, mark) => NAMED_BY_HINT.has(mark.role)
  || mark.role === 'generic' && !plain(element).innerText?.trim() && (isClickable(element) || getComputedStyle(element).cursor === 'pointer');

function hintOf(hinted) {
  const element = plain(hinted);
  const of = name => element.getAttribute(name);
  const icon = element.querySelector('svg use, svg title, img, i[class], span[class], svg[class]');
  const iconName = icon && (icon.getAttribute('href') || icon.getAttribute('xlink:href') || icon.getAttribute('title')
    || icon.getAttribute('class') || icon.textContent || (icon.getAttribute('src') || '').split('/').pop());
  const isShape = element.localName === 'canvas' || element.ownerSVGElement && SHAPE.test(element.localName);
  const shape = isShape ? element.localName : '', repeats = of('name') && element.id.endsWith(of('name'));
  const words = { shape, fill: shape ? of('fill') : paintOf(element), title: of('title'), testid: of('data-testid'), name: of('name'), id: repeats ? '' : element.id, class: repeats ? '' : of('class'), icon: iconName };
  return Object.entries(words).filter(([, word]) => word).slice(0, shape || words.fill ? 3 : 2).map(([kind, word]) => `${kind}=${squeeze(word, 60)}`).join(' ');
}

/** The colour of something empty, which is all that a person sees of it. */
function paintOf(element) {
  if (element.matches(CONTROL) || element.firstElementChild || hasOwnText(element)) return '';
  const colour = rgb(getComputedStyle(element).backgroundColor);
  return colour && colour[3] > 0.05 ? `rgb(${colour.slice(0, 3).join(',')})` : '';
}

// What the driver's tree leaves out

const NEAR = 8, INSIDE = 6;

const OWN_REFS = 900000; // the driver counts from one

/** A ref in the driver's own form for a word that acts: the driver takes inline elements for text and gives them none. */
function ownRef(element, style, prefix) {
  const it = plain(element);
  if (prefix === null || style.display !== 'inline' || it.childElementCount || !hasOwnText(element)) return null;
  const isPointed = style.cursor === 'pointer' && it.parentElement && getComputedStyle(it.parentElement).cursor !== 'pointer';
  if (!isPointed && !isClickable(element) || parentOf(element) && plain(parentOf(element)).closest(CONTROL) || it.matches(CONTROL)) return null;
  state().ownRefs += 1;
  element._ariaRef = { role: 'generic', name: '', ref: `${prefix}e${OWN_REFS + state().ownRefs}`, isOwn: true };
  return element._ariaRef;
}

/** Something to act on that the tree may have no line for, with the refs of what it stands in and of what it holds. */
function leftOut(element, mark, box) {
  const it = plain(element);
  if (box.width < 3 || box.height < 3 || !it.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return null;
  const above = [], inside = [];
  for (let at = parentOf(element); at && above.length < NEAR; at = parentOf(at)) if (at._ariaRef) above.push(at._ariaRef.ref);
  const inner = it.getElementsByTagName('*');
  for (let i = 0; i < inner.length && i < 20 && inside.length < INSIDE; i += 1) if (inner[i]._ariaRef) inside.push(inner[i]._ariaRef.ref);
  return [mark.ref, mark.role, mark.isOwn ? squeeze(it.innerText, 80) : mark.name ?? '', above, inside, [box.x, box.y, box.width, box.height]];
}
