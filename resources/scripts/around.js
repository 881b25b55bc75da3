// What tells a node apart: the text of its row or item without the words of its controls, the label of its group.

const ITEM_ROLES = new Set(['row', 'listitem', 'treeitem']);
const GROUP_ROLES = new Set(['group', 'radiogroup', 'article', 'dialog', 'alertdialog']);
const IMPLIED_ROLES = { tr: 'row', li: 'listitem', fieldset: 'group', details: 'group', article: 'article', dialog: 'dialog' };
const CONTROLS = 'button, input, select, textarea, option, script, style, template, [role=button], [role=menuitem], [role=switch], [contenteditable]';
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

/** The item and the group that an element makes for what is inside it, or inherits. */
function settingOf(element, known) {
  const seen = known.get(element);
  if (seen) return seen;
  const parent = parentOf(element), role = roleOf(element);
  const outer = parent ? settingOf(parent, known) : { item: '', group: '' };
  const item = ITEM_ROLES.has(role) ? textWithoutControls(element) || squeeze(element.textContent, AROUND_LIMIT) : '';
  const group = GROUP_ROLES.has(role) ? labelOf(element) : '';
  const setting = item || group ? { item: item || outer.item, group: group || outer.group } : outer;
  known.set(element, setting);
  return setting;
}

function aroundOf(element, known) {
  const parent = parentOf(element);
  if (!parent) return '';
  const { item, group } = settingOf(parent, known);
  return [item, group].filter(Boolean).join(' | ');
}
