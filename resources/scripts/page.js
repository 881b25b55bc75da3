// A selector engine that the driver runs in its isolated world: page scripts cannot see or change what it does.
// A question is the selector's body. The answer is JSON in an element outside the document, or the element held.
(() => {
  const SECRET_AUTOCOMPLETE = /(^|\s)(one-time-code|cc-number|cc-csc|cc-exp|cc-exp-month|cc-exp-year|current-password|new-password)(\s|$)/;
  const SECRET_NAME = /(^|[^a-z])(otp|one.?time.?(code|pass\w*)|verification.?code|security.?code|2fa|totp|cvv2?|cvc2?|csc|card.?(number|no|num)|cc.?(number|num))([^a-z]|$)/i;
  const NAMELESS_CONTROLS = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'switch',
    'slider', 'spinbutton', 'menuitem', 'tab', 'option', 'img', 'generic']);
  const MASK = '••••••';
  const MARKS_BUDGET_MS = 400;

  const state = () => (document.__pilotfish ??= newState());

  function newState() {
    const word = () => Math.random().toString(36).slice(2, 10);
    const fresh = { id: word() + word(), held: new Map(), found: new Map(), secretFields: new WeakSet(), secrets: new Set(), movedAt: performance.now() };
    new MutationObserver(() => { fresh.movedAt = performance.now(); }).observe(document, {
      subtree: true, childList: true, characterData: true,
      attributeFilter: ['aria-busy', 'aria-checked', 'aria-disabled', 'aria-expanded', 'aria-hidden', 'aria-selected', 'checked',
        'disabled', 'hidden', 'href', 'open', 'selected', 'src', 'value'],
    });
    return fresh;
  }

  function* everyElement(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let element = walker.nextNode(); element; element = walker.nextNode()) {
      yield element;
      if (element.shadowRoot) yield* everyElement(element.shadowRoot);
    }
  }

  const parentOf = element => element.assignedSlot || element.parentElement || element.getRootNode().host || null;

  function contains(outer, inner) {
    for (let element = inner; element; element = parentOf(element)) if (element === outer) return true;
    return false;
  }

  const squeeze = (text, limit) => (text || '').replace(/\s+/g, ' ').trim().slice(0, limit);

  // Secrets

  function isSecret(element) {
    if (element.localName !== 'input') return false;
    if (element.type === 'password') return true;
    if (!/^(text|tel|number|search|)$/.test(element.type)) return false;
    if (SECRET_AUTOCOMPLETE.test(element.autocomplete || element.getAttribute('autocomplete') || '')) return true;
    return SECRET_NAME.test(`${element.name} ${element.id}`);
  }

  function rememberSecret(element) {
    const { secretFields, secrets } = state();
    const known = secretFields.has(element);
    if (!known && !isSecret(element)) return false;
    secretFields.add(element);
    if (element.value) secrets.add(element.value);
    return true;
  }

  function shownValue(element) {
    if (rememberSecret(element)) return element.value ? MASK : '';
    if (element.localName === 'select') return [...element.selectedOptions].map(option => option.label).join(', ');
    if (element.type === 'checkbox' || element.type === 'radio') return element.checked ? 'checked' : 'unchecked';
    if (element.type === 'file') return [...element.files].map(file => file.name).join(', ');
    if ('value' in element && typeof element.value === 'string') return element.value;
    if (element.isContentEditable) return element.innerText;
    return element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow') || element.getAttribute('aria-checked') || '';
  }

  // What a person cannot see

  const rgb = text => { const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text); return found ? [+found[1], +found[2], +found[3], found[4] === undefined ? 1 : +found[4]] : null; };

  function backgroundBehind(element) {
    for (let at = element; at; at = parentOf(at)) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== 'none') return null;
      const colour = rgb(style.backgroundColor);
      if (!colour) return null;
      if (colour[3] > 0.95) return colour;
      if (colour[3] > 0.05) return null;
    }
    return [255, 255, 255, 1];
  }

  function hasOwnText(element) {
    for (let node = element.firstChild; node; node = node.nextSibling) if (node.nodeType === 3 && node.nodeValue.trim()) return true;
    return false;
  }

  function isTextInvisible(element, style) {
    if (!hasOwnText(element)) return false;
    if (parseFloat(style.fontSize) < 3) return true;
    if (Math.abs(parseFloat(style.textIndent)) > 500 && style.backgroundImage === 'none') return true;
    const colour = rgb(style.webkitTextFillColor || style.color);
    if (!colour) return false;
    if (colour[3] < 0.05) return style.backgroundImage === 'none' && style.textShadow === 'none';
    const behind = backgroundBehind(element);
    return !!behind && style.textShadow === 'none' && [0, 1, 2].every(i => Math.abs(colour[i] - behind[i]) < 12);
  }

  const clips = style => style.overflowX !== 'visible' || style.overflowY !== 'visible';
  const scrolls = style => /auto|scroll/.test(style.overflowX + style.overflowY);

  function isOutOfReach(element, box) {
    let { left, top, right, bottom } = box, fixed = false;
    for (let at = element; at && at !== document.documentElement && at !== document.body; at = parentOf(at)) {
      const style = getComputedStyle(at);
      if (at !== element && clips(style) && !fixed) {
        const frame = at.getBoundingClientRect();
        if (scrolls(style)) ({ left, top, right, bottom } = frame);
        else if (right <= frame.left || left >= frame.right || bottom <= frame.top || top >= frame.bottom) return true;
      }
      if (style.position === 'fixed') { fixed = true; break; }
    }
    if (fixed) return right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight;
    const page = document.scrollingElement || document.documentElement;
    if (right + page.scrollLeft <= 0 && getComputedStyle(document.documentElement).direction !== 'rtl') return true;
    return bottom + page.scrollTop <= 0 || left + page.scrollLeft >= Math.max(page.scrollWidth, innerWidth);
  }

  function isUnseen(element) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
    const style = getComputedStyle(element);
    if (style.display === 'contents') return isTextInvisible(element, style);
    const box = element.getBoundingClientRect();
    const tiny = box.width <= 1 || box.height <= 1;
    if (tiny && (clips(style) || (!element.firstElementChild && !element.shadowRoot))) return true;
    if (style.clip !== 'auto' && /^rect\((0px|1px)?,? ?(0px|1px),? /.test(style.clip) && style.position === 'absolute') return true;
    if (/^inset\((5\d|[6-9]\d|100)%/.test(style.clipPath) || style.clipPath === 'circle(0px)') return true;
    return isOutOfReach(element, box) || isTextInvisible(element, style);
  }

  // Looks

  function watch() {
    let elements = 0;
    for (const element of everyElement(document)) { elements += 1; if (element.localName === 'input') rememberSecret(element); }
    return { document: state().id, elements };
  }

  function hintOf(element) {
    const attribute = name => element.getAttribute(name);
    const icon = element.querySelector?.('svg use, svg title, img, i[class], span[class], svg[class]');
    const words = [attribute('title'), attribute('data-testid'), attribute('name'), element.id, squeeze(attribute('class'), 60),
      icon && (icon.getAttribute('href') || icon.getAttribute('xlink:href') || icon.getAttribute('title') || icon.getAttribute('class') || icon.textContent || (icon.getAttribute('src') || '').split('/').pop())];
    const labels = ['title', 'testid', 'name', 'id', 'class', 'icon'];
    const found = words.map((word, i) => word && `${labels[i]}=${squeeze(word, 60)}`).filter(Boolean);
    return found.slice(0, 2).join(' ');
  }

  function marksOf(element, modal) {
    const marks = [];
    if (rememberSecret(element)) marks.push('password');
    if (element.readOnly && /^(input|textarea)$/.test(element.localName) || element.getAttribute('aria-readonly') === 'true') marks.push('readonly');
    if (element.required || element.getAttribute('aria-required') === 'true') marks.push('required');
    if (element.draggable && element.getAttribute('draggable') === 'true') marks.push('draggable');
    if (isClickable(element)) marks.push('clickable');
    if (modal && !contains(modal, element) && !contains(element, modal)) marks.push('covered');
    if (isUnseen(element)) marks.push('unseen');
    return marks;
  }

  function isClickable(element) {
    if (element.hasAttribute('onclick') || element.localName === 'summary') return true;
    if (element.isContentEditable) return !element.parentElement?.isContentEditable;
    if (element.localName === 'label') return !!element.control && !isShown(element.control);
    return element.hasAttribute('tabindex') && element.tabIndex >= 0 && !/^(body|html)$/.test(element.localName);
  }

  function openModal() {
    const found = [...document.querySelectorAll('dialog:modal, [aria-modal="true"]')].filter(isShown);
    return found[found.length - 1] ?? null;
  }

  function markedAncestor(element) {
    for (let at = parentOf(element); at; at = parentOf(at)) if (at._ariaRef) return at;
    return null;
  }

  function look() {
    const { id, found, secrets } = state();
    const until = performance.now() + MARKS_BUDGET_MS;
    const marks = [], texts = [], arounds = [], words = new Map(), known = new Map(), modal = openModal();
    let prefix = null, whole = true, hiddenRoot = null;
    found.clear();
    for (const element of everyElement(document)) {
      const mark = element._ariaRef;
      if (mark) {
        found.set(mark.ref, new WeakRef(element));
        prefix ??= /^f\d+/.exec(mark.ref)?.[0] ?? '';
        const around = aroundOf(element, known);
        if (around) {
          if (!words.has(around)) words.set(around, words.size);
          arounds.push([mark.ref, words.get(around)]);
        }
      } else if (element.localName === 'input') rememberSecret(element);
      if (!whole || (whole = performance.now() < until) === false) continue;
      if (hiddenRoot && contains(hiddenRoot, element)) { if (mark) marks.push([mark.ref, ['unseen', ...(rememberSecret(element) ? ['password'] : [])], '']); continue; }
      if (mark) {
        const flags = marksOf(element, modal);
        const hint = !mark.name && NAMELESS_CONTROLS.has(mark.role) && (mark.role !== 'generic' || getComputedStyle(element).cursor === 'pointer' && !element.innerText?.trim()) ? hintOf(element) : '';
        if (flags.length || hint) marks.push([mark.ref, flags, hint]);
        if (flags.includes('unseen') && !isTextInvisible(element, getComputedStyle(element))) hiddenRoot = element;
      } else if (hasOwnText(element) && !/^(script|style|noscript|template|option)$/.test(element.localName) && element.checkVisibility({ visibilityProperty: true }) && isUnseen(element)) {
        const owner = markedAncestor(element);
        if (owner) texts.push([owner._ariaRef.ref, squeeze(element.textContent, 2000)]);
      }
    }
    const page = document.scrollingElement || document.documentElement;
    return {
      document: id, prefix, url: location.href, title: document.title, width: innerWidth, height: innerHeight,
      above: page ? page.scrollTop : 0, below: page ? page.scrollHeight - page.scrollTop - innerHeight : 0,
      marks, texts, arounds, words: [...words.keys()], secrets: [...secrets], whole,
    };
  }

  function visibleText() {
    const pieces = [document.body ? document.body.innerText : ''];
    for (const element of everyElement(document)) {
      if (element.shadowRoot) pieces.push([...element.shadowRoot.children].map(child => child.innerText || '').join('\n'));
      if (/^(input|textarea)$/.test(element.localName) && element.value && !rememberSecret(element) && /^(text|search|email|url|tel|number|textarea)$/.test(element.type)) pieces.push(element.value);
    }
    return { document: state().id, text: pieces.filter(Boolean).join('\n').slice(0, 2000000), secrets: [...state().secrets] };
  }

  const quiet = () => ({ document: state().id, still: performance.now() - state().movedAt, ready: document.readyState });

  // Targets

  function find(ref) {
    const quick = state().found.get(ref)?.deref();
    if (quick?.isConnected && quick._ariaRef?.ref === ref) return quick;
    for (const element of everyElement(document)) if (element._ariaRef?.ref === ref) return element;
    return null;
  }

  function bind(ref, token) {
    const element = find(ref);
    if (element) hold(token, element);
    return { document: state().id, found: !!element };
  }

  // What tells a node apart: the text of its row or item without the words of its controls, the label of its group.

  const ITEM_ROLES = new Set(['row', 'listitem', 'treeitem']);
  const GROUP_ROLES = new Set(['group', 'radiogroup', 'article', 'dialog', 'alertdialog']);
  const CONTROLS = 'button, input, select, textarea, option, script, style, template, [role=button], [role=menuitem], [role=switch], [contenteditable]';
  const AROUND_LIMIT = 240;

  function textWithoutControls(element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, node => {
      if (node.nodeType === 3) return NodeFilter.FILTER_ACCEPT;
      return node.matches(CONTROLS) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    });
    let text = '';
    while (text.length < 2 * AROUND_LIMIT && walker.nextNode()) text += `${walker.currentNode.nodeValue} `;
    return squeeze(text, AROUND_LIMIT);
  }

  function labelOf(group) {
    const legend = group.localName === 'fieldset' ? group.querySelector(':scope > legend') : null;
    const text = group.getAttribute('aria-label') || labelledBy(group) || legend?.textContent
      || (group.localName === 'details' ? group.querySelector(':scope > summary')?.textContent : '')
      || group.querySelector('h1, h2, h3, h4, h5, h6, [role=heading]')?.textContent;
    return squeeze(text, AROUND_LIMIT);
  }

  const roleOf = element => element._ariaRef?.role
    ?? element.getAttribute('role') ?? ({ tr: 'row', li: 'listitem', fieldset: 'group', details: 'group', article: 'article', dialog: 'dialog' })[element.localName] ?? '';

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

  function deepHit(x, y) {
    let root = document, hit = null;
    for (;;) {
      const next = root.elementFromPoint(x, y);
      if (!next || next === hit) return hit;
      hit = next;
      if (!hit.shadowRoot) return hit;
      root = hit.shadowRoot;
    }
  }

  function describe(element, target) {
    let best = null, named = null;
    for (let at = element; at && !(target && contains(at, target)); at = parentOf(at)) {
      const role = at.getAttribute('role') || (at.localName === 'dialog' ? 'dialog' : '') || at._ariaRef?.role || '';
      if (/^(alert)?dialog$/.test(role)) { best = at; break; }
      if (!named && role && role !== 'generic' && role !== 'presentation') named = at;
      if (!best || !best._ariaRef) best = at;
    }
    if (best && !/dialog/.test(best.getAttribute('role') || best.localName) && named) best = named;
    best ??= element;
    const role = best.getAttribute('role') || best._ariaRef?.role || ({ dialog: 'dialog', button: 'button', a: 'link', img: 'img', iframe: 'iframe' })[best.localName] || best.localName;
    const name = squeeze(best.getAttribute('aria-label') || best._ariaRef?.name || labelledBy(best) || best.innerText || best.id || best.getAttribute('class') || '', 60);
    return { description: name ? `${role} "${name}"` : role, ref: best._ariaRef?.ref ?? '' };
  }

  const labelledBy = element => (element.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean)
    .map(id => document.getElementById(id)?.textContent || '').join(' ');

  const labelsOf = element => [...(element.labels || [])];

  function pointOf(element) {
    const boxes = [...element.getClientRects()].filter(box => box.width > 0 && box.height > 0);
    const box = boxes[0] || element.getBoundingClientRect();
    const left = Math.max(box.left, 0), top = Math.max(box.top, 0), right = Math.min(box.right, innerWidth), bottom = Math.min(box.bottom, innerHeight);
    return right > left && bottom > top ? [(left + right) / 2, (top + bottom) / 2] : null;
  }

  function coverOf(element) {
    const point = pointOf(element);
    if (!point) return null;
    const hit = deepHit(...point);
    if (!hit || contains(element, hit) || contains(hit, element)) return null;
    const labels = [...labelsOf(element), element.closest?.('label')].filter(Boolean);
    if (labels.some(label => contains(label, hit))) return null;
    return describe(hit, element);
  }

  function isShown(element) {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  }

  function isOperable(element) {
    if (isShown(element)) {
      if (!isOutOfReach(element, element.getBoundingClientRect())) return true;
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      if (pointOf(element)) return true;
    }
    return labelsOf(element).some(isShown) || (element.type === 'file' && element.isConnected);
  }

  function bringIntoView(element) {
    if (!pointOf(element) || coverOf(element)) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  }

  function isDisabled(element) {
    if (element.matches(':disabled')) return true;
    for (let at = element; at; at = parentOf(at)) if (at.getAttribute('aria-disabled') === 'true' || at.inert) return true;
    return false;
  }

  function fieldsOf(form) {
    const fields = [];
    for (const field of form.elements) {
      if (/^(hidden|submit|button|reset|image)$/.test(field.type) || /^(fieldset|output|object)$/.test(field.localName)) continue;
      if ((field.type === 'checkbox' || field.type === 'radio') && !field.checked) continue;
      const name = squeeze(labelsOf(field).map(label => label.innerText).join(' ') || field.getAttribute('aria-label') || field.name || field.id, 60);
      const value = field.type === 'radio' || (field.type === 'checkbox' && field.value !== 'on') ? field.value : shownValue(field);
      fields.push([name, squeeze(value, 200)]);
      if (fields.length === 40) break;
    }
    return fields;
  }

  function formOf(element, submitter) {
    const form = (submitter || element).form || element.closest?.('form');
    if (!form) return null;
    const method = (submitter?.getAttribute('formmethod') || form.getAttribute('method') || 'get').toUpperCase();
    const action = submitter?.getAttribute('formaction') || form.getAttribute('action') || '';
    return { method, action: new URL(action || location.href, document.baseURI).href, fields: fieldsOf(form) };
  }

  function probe(token) {
    const element = state().held.get(token);
    if (!element?.isConnected) return { document: state().id, found: false };
    const visible = isOperable(element);
    if (visible) bringIntoView(element);
    const box = element.getBoundingClientRect();
    const button = element.closest?.('button, input[type=submit], input[type=image]');
    const submits = !!button && /^(submit|image)$/.test(button.type) && !!button.form;
    const link = element.closest?.('a[href]');
    return {
      document: state().id, found: true, ref: element._ariaRef?.ref ?? '', url: location.href, visible, enabled: !isDisabled(element),
      readonly: !!element.readOnly || element.getAttribute('aria-readonly') === 'true', cover: visible ? coverOf(element) : null,
      box: [box.x, box.y, box.width, box.height], point: pointOf(element), tag: element.localName, type: element.type && typeof element.type === 'string' ? element.type : '',
      value: squeeze(shownValue(element), 2000), secret: state().secretFields.has(element), submits, form: formOf(element, submits ? button : null),
      href: link ? link.href : '', editable: element.isContentEditable, around: aroundOf(element, new Map()), marks: [[element._ariaRef?.ref ?? '', marksOf(element, openModal()), '']],
      secrets: [...state().secrets],
    };
  }

  /** The label a person would click, when the element itself cannot be hit. */
  function hiddenBehind(element) {
    if (!element || !/^(checkbox|radio)$/.test(element.type)) return null;
    const point = pointOf(element), hit = point && isShown(element) ? deepHit(...point) : null;
    if (hit === element) return null;
    return labelsOf(element).find(isShown) ?? null;
  }

  function value(token) {
    const element = state().held.get(token);
    return element?.isConnected ? { found: true, value: shownValue(element).slice(0, 2000) } : { found: false, value: '' };
  }

  function top(x, y) {
    const hit = deepHit(x, y);
    return hit ? { frame: /^i?frame$/.test(hit.localName) ? hit._ariaRef?.ref ?? '' : '', ...describe(hit, null) } : { frame: '', description: '', ref: '' };
  }

  // The person's point and selection

  function point(x, y, token) {
    const hit = deepHit(+x, +y);
    if (!hit) return { kind: 'none', cursor: 'default' };
    hold(token, hit);
    const style = getComputedStyle(hit), box = hit.getBoundingClientRect();
    if (/^i?frame$/.test(hit.localName)) {
      const inner = [box.left + hit.clientLeft + parseFloat(style.paddingLeft), box.top + hit.clientTop + parseFloat(style.paddingTop)];
      return { kind: 'frame', cursor: 'default', inner };
    }
    const select = hit.closest('select');
    if (select && !select.disabled && !select.multiple && select.size < 2) {
      hold(token, select);
      const options = [...select.options].map(option => [squeeze(option.label, 200), option.disabled || option.parentElement.localName === 'optgroup' && option.parentElement.disabled]);
      const place = select.getBoundingClientRect();
      return { kind: 'select', cursor: 'default', token: +token, options, selected: select.selectedIndex, box: [place.x, place.y, place.width, place.height] };
    }
    return { kind: 'other', cursor: style.cursor === 'auto' ? guessCursor(hit, x, y) : style.cursor };
  }

  function guessCursor(hit, x, y) {
    if (hit.isContentEditable || hit.localName === 'textarea' || hit.localName === 'input' && !/^(button|submit|reset|checkbox|radio|range|color|file|image)$/.test(hit.type)) return 'text';
    const caret = document.caretRangeFromPoint?.(+x, +y);
    if (caret?.startContainer.nodeType !== 3 || !hit.contains(caret.startContainer)) return 'default';
    const range = document.createRange();
    range.selectNodeContents(caret.startContainer);
    return [...range.getClientRects()].some(box => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) ? 'text' : 'default';
  }

  function selection() {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (!document.hasFocus() || at && /^i?frame$/.test(at.localName)) return { text: '' };
    if (at && /^(input|textarea)$/.test(at.localName)) {
      if (rememberSecret(at)) return { text: '' };
      try { return { text: at.value.slice(at.selectionStart, at.selectionEnd) }; } catch { return { text: '' }; }
    }
    return { text: getSelection().toString() };
  }

  function hold(token, element) {
    const { held } = state();
    held.set(String(token), element);
    while (held.size > 60) held.delete(held.keys().next().value);
  }

  const QUESTIONS = {
    point, selection,
    label: token => ({ found: !!hiddenBehind(state().held.get(token)) }),
    watch, look, text: visibleText, quiet, bind, probe, value,
    release: token => ({ released: state().held.delete(token) }),
    top: (x, y) => top(+x, +y),
  };

  function answer(body) {
    const [name, ...words] = body.split(':');
    if (name === 'held') return state().held.get(words[0]) ?? document.createElement('i');
    if (name === 'labelof') return hiddenBehind(state().held.get(words[0])) ?? document.createElement('i');
    const paper = document.createElement('pre');
    paper.textContent = JSON.stringify(QUESTIONS[name](...words));
    return paper;
  }

  function all(body) {
    if (body === 'secretfields') return [...everyElement(document)].filter(element => element.localName === 'input' && rememberSecret(element));
    const element = answer(body);
    return element ? [element] : [];
  }

  return { query: (_root, body) => all(body)[0] ?? null, queryAll: (_root, body) => all(body) };
})()
