// Questions of the panel: what lies under the person's pointer, what they have selected.

function point(x, y, token) {
  const hit = deepHit(+x, +y);
  if (!hit) return { kind: 'none', cursor: 'default' };
  hold(token, hit);
  if (isFrame(hit)) return { kind: 'frame', cursor: 'default', inner: innerPlace(hit) };
  const select = hit.closest('select');
  if (select && !select.disabled && !select.multiple && select.size < 2) return selectAt(select, token);
  const style = getComputedStyle(hit);
  return { kind: 'other', cursor: style.cursor === 'auto' ? guessCursor(hit, +x, +y) : style.cursor };
}

function selectAt(select, token) {
  hold(token, select);
  const options = [...select.options].map(option =>
    [squeeze(option.label, 200), option.disabled || option.parentElement.localName === 'optgroup' && option.parentElement.disabled]);
  const box = select.getBoundingClientRect();
  return { kind: 'select', cursor: 'default', token: +token, options, selected: select.selectedIndex, box: [box.x, box.y, box.width, box.height] };
}

function guessCursor(hit, x, y) {
  if (hit.isContentEditable || hit.localName === 'textarea') return 'text';
  if (hit.localName === 'input') return /^(button|submit|reset|checkbox|radio|range|color|file|image)$/.test(hit.type) ? 'default' : 'text';
  const caret = document.caretRangeFromPoint?.(x, y);
  if (caret?.startContainer.nodeType !== 3 || !hit.contains(caret.startContainer)) return 'default';
  const range = document.createRange();
  range.selectNodeContents(caret.startContainer);
  return [...range.getClientRects()].some(box => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) ? 'text' : 'default';
}

/** Where the caret stands in a field or an editor, or what is selected: characters before its two ends. */
function caret() {
  const at = focusedElement();
  if (!document.hasFocus() || at && isFrame(at)) return { at: '' };
  if (at && /^(input|textarea)$/.test(at.localName)) return { at: at.selectionStart === null || rememberSecret(at) ? '' : `${at.selectionStart}-${at.selectionEnd}` };
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = getSelection();
  if (!focusNode || isCollapsed && !at?.isContentEditable) return { at: '' };
  return { at: `${lengthTo(anchorNode, anchorOffset)}-${lengthTo(focusNode, focusOffset)}` };
}

function lengthTo(node, offset) {
  const range = document.createRange();
  range.setStart(document.documentElement, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

function selection() {
  const at = focusedElement();
  if (!document.hasFocus() || at && isFrame(at)) return { text: '' };
  if (!at || !/^(input|textarea)$/.test(at.localName)) return { text: getSelection().toString() };
  if (rememberSecret(at) || at.selectionStart === null) return { text: '' };
  return { text: at.value.slice(at.selectionStart, at.selectionEnd) };
}
