// What tells a node apart: the text of its row, item or card without the words of its controls and what only reports, the label of its group.

const ITEM_ROLES = new Set(['row', 'listitem', 'treeitem']);
const GROUP_ROLES = new Set(['group', 'radiogroup', 'article', 'dialog', 'alertdialog']);
const IMPLIED_ROLES = { tr: 'row', li: 'listitem', fieldset: 'group', details: 'group', article: 'article', dialog: 'dialog' };
const CONTROLS = 'button, input, select, textarea, option, script, style, template, [role=button], [role=menuitem], [role=switch], [contenteditable], output, progress, meter, [role=status], [role=timer], [role=progressbar], [role=meter]';
const AROUND_LIMIT = 240;

function textWithoutControls(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, node => {
    if (node.nodeType === 3) return NodeFilter.FILTER_ACCEPT;
    return plain(node).matches(CONTROLS) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  let text = '';
  while (text.length < 3 * AROUND_LIMIT && walker.nextNode()) text += `${walker.currentNode.nodeValue} `;
  return squeeze(text, AROUND_LIMIT);
}

function labelOf(element) {
  const group = plain(element);
  const legend = group.localName === 'fieldset' ? group.querySelector(':scope > legend') : null;
  const summary = group.localName === 'details' ? group.querySelector(':scope > summary') : null;
  const heading = () => group.querySelector('h1, h2, h3, h4, h5, h6, [role=heading]');
  return squeeze(group.getAttribute('aria-label') || labelledBy(group) || (legend || summary || heading())?.textContent, AROUND_LIMIT);
}

const roleOf = element => element._ariaRef?.role ?? plain(element).getAttribute('role') ?? IMPLIED_ROLES[plain(element).localName] ?? '';

const CARDS_AT_LEAST = 3;
const NAMED_CONTROLS = 'button, a[href], input, select, textarea, [role=button], [role=link], [role=checkbox], [role=switch]';

const kindOf = element => `${element.localName}.${element.classList[0] ?? [...element.children].map(child => child.localName)}`;

/** The elements of the same kind that stand right before and after this one, up to two on each side. */
function neighboursOf(element) {
  const found = [], kind = kindOf(element);
  for (const step of ['previousElementSibling', 'nextElementSibling']) {
    for (let at = plain(element)[step], left = CARDS_AT_LEAST - 1; at && left && kindOf(plain(at)) === kind; at = plain(at)[step], left -= 1) found.push(at);
  }
  return found;
}

function spokenName(control) {
  const element = plain(control);
  return squeeze(element.getAttribute('aria-label') || element.textContent || (element.type === 'submit' ? element.value : '') || element.getAttribute('placeholder') || element.localName, 60);
}

const namesIn = element => new Set([...plain(element).querySelectorAll(NAMED_CONTROLS)].slice(0, 20).map(spokenName));

/** The text of a card: one of at least three plain elements of a kind, in which controls bear the same names. */
function cardOf(element) {
  if (!/^(div|section|span|a)$|-/.test(plain(element).localName)) return null;
  const others = neighboursOf(element);
  if (others.length < CARDS_AT_LEAST - 1) return null;
  const text = textWithoutControls(element);
  if (!text || text.length >= AROUND_LIMIT) return null;
  const beside = new Set(others.flatMap(other => [...namesIn(other)]));
  const names = new Set([...namesIn(element)].filter(name => beside.has(name)));
  return names.size ? { text, names } : null;
}

/** The item, the card and the group that an element makes for what is inside it, or inherits. */
function settingOf(element, known) {
  const seen = known.get(element);
  if (seen) return seen;
  const parent = homeOf(element), role = roleOf(element);
  const outer = parent ? settingOf(parent, known) : { item: '', card: null, group: '' };
  const item = ITEM_ROLES.has(role) ? textWithoutControls(element) || squeeze(element.textContent, AROUND_LIMIT) : '';
  const group = GROUP_ROLES.has(role) ? labelOf(element) : '';
  const card = role && role !== 'generic' ? null : cardOf(element);
  const setting = item || group || card ? { item: item || outer.item, card: item ? null : card || outer.card, group: group || outer.group } : outer;
  known.set(element, setting);
  return setting;
}

function aroundOf(element, known) {
  const parent = homeOf(element);
  if (!parent) return '';
  const { item, card, group } = settingOf(parent, known);
  return [item, card?.names.has(spokenName(element)) ? card.text : '', group, destinationOf(element)].filter(Boolean).join(' | ');
}

const LONG_VALUE = /^\d{9,}$|.{17}/; // of a query: a time or a token, not what is meant

/** Where it leads or sends to, without what an address changes from one moment to the next. */
function destinationOf(element) {
  const it = plain(element), link = it.localName === 'a' && it.getAttribute('href'), form = it.form && plain(it.form);
  const action = link || it.getAttribute('formaction') || form?.getAttribute?.('action');
  if (!action || /^(#|javascript:)/i.test(action)) return '';
  try {
    const url = new URL(action, document.baseURI), method = link ? '' : (it.getAttribute('formmethod') || form?.getAttribute('method') || '').toLowerCase();
    const query = [...url.searchParams].filter(([, value]) => !LONG_VALUE.test(value)).map(pair => pair.join('=')).join('&');
    return squeeze(`→ ${method} ${url.host}${url.pathname} ${query}`, AROUND_LIMIT);
  } catch { return ''; }
}

// What the page took away while it was read: the driver's tree still shows it, and it meant what it stood in

const TAKEN = 300;
const homes = new WeakMap();
let taken = [], taking = null;

const homeOf = element => parentOf(element) ?? homes.get(element) ?? null;

function watchTaken() {
  taking?.disconnect();
  taken = [];
  taking = new MutationObserver(noteTaken);
  taking.observe(document, { subtree: true, childList: true });
}

function noteTaken(changes) {
  for (const { removedNodes, target } of changes) for (const node of removedNodes) {
    if (node.nodeType !== Node.ELEMENT_NODE || taken.length >= TAKEN) continue;
    homes.set(node, target);
    taken.push(node);
  }
}

/** Everything that the driver gave a ref and the page took away since. */
function* takenAway() {
  noteTaken(taking?.takeRecords() ?? []);
  taking?.disconnect();
  for (const root of taken) if (!root.isConnected) for (const element of [root, ...everyElement(root)]) if (element._ariaRef) yield element;
  taken = [];
}
