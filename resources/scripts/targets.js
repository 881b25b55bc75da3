// Questions about one element: finding it by the driver's ref, and everything that must be known right before an act.

function find(ref) {
  const quick = state().found.get(ref)?.deref();
  if (quick?.isConnected && quick._ariaRef?.ref === ref) return quick;
  for (const element of everyElement(document)) if (element._ariaRef?.ref === ref) return element;
  return null;
}

/** The element held under the token; with a ref it is looked for first. */
function heldOrFound(token, ref) {
  const { held } = state();
  if (!held.has(token) && ref) {
    const element = find(ref);
    if (element) hold(token, element);
  }
  return held.get(token);
}

// Targets without a ref: what has the focus, what lies at a point.

const USABLE = 'a[href], button, input, select, textarea, summary, label, [role], [onclick], [tabindex], [contenteditable]';

function focus(_x, _y, token) {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at && at !== document.body && at !== document.documentElement ? bound(at, token) : { document: state().id, kind: 'none' };
}

function under(x, y, token) {
  const hit = deepHit(+x, +y);
  if (!hit) return { document: state().id, kind: 'none' };
  let at = hit;
  while (at && !at.matches(USABLE)) at = parentOf(at);
  return bound(at ?? hit, token);
}

function bound(element, token) {
  hold(token, element);
  const kind = isFrame(element) ? 'frame' : 'element';
  return { document: state().id, kind, ref: element._ariaRef?.ref ?? '', inner: innerPlace(element) };
}

const isFrame = element => /^i?frame$/.test(element.localName);

function innerPlace(element) {
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  return [box.left + element.clientLeft + parseFloat(style.paddingLeft), box.top + element.clientTop + parseFloat(style.paddingTop)];
}

// Covers

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

/** The middle of what can be seen of the element, where the driver will click; null when nothing is in the viewport. */
function pointOf(element) {
  const boxes = [...element.getClientRects()].filter(box => box.width > 0 && box.height > 0);
  const box = boxes[0] || element.getBoundingClientRect();
  const left = Math.max(box.left, 0), top = Math.max(box.top, 0), right = Math.min(box.right, innerWidth), bottom = Math.min(box.bottom, innerHeight);
  return right > left && bottom > top ? [(left + right) / 2, (top + bottom) / 2] : null;
}

function coverOf(element) {
  const point = pointOf(element);
  const hit = point && deepHit(...point);
  if (!hit || contains(element, hit) || contains(hit, element)) return null;
  const labels = [...labelsOf(element), element.closest('label')].filter(Boolean);
  return labels.some(label => contains(label, hit)) ? null : describe(hit, element);
}

/** A cover as people call it: the dialog it belongs to, else the nearest thing with a role, up to where it holds the target too. */
function describe(element, target) {
  let named = null, last = element;
  for (let at = element; at && !(target && contains(at, target)); at = parentOf(at)) {
    last = at;
    const role = roleOf(at);
    if (/^(alert)?dialog$/.test(role)) return call(at, role);
    if (!named && role && !/^(generic|presentation|none)$/.test(role)) named = at;
  }
  const best = named ?? last;
  return call(best, roleOf(best) || ({ button: 'button', a: 'link', img: 'img', iframe: 'iframe' })[best.localName] || best.localName);
}

function call(element, role) {
  const name = squeeze(element.getAttribute('aria-label') || element._ariaRef?.name || labelledBy(element) || element.innerText
    || element.id || element.getAttribute('class') || '', 60);
  return { description: name ? `${role} "${name}"` : role, ref: element._ariaRef?.ref ?? '' };
}

/** What a frame around the target's frame shows at a point: the frame that was meant, or a cover. */
function top(x, y) {
  const hit = deepHit(+x, +y);
  return hit ? { frame: isFrame(hit) ? hit._ariaRef?.ref ?? '' : '', ...describe(hit, null) } : { frame: '', description: '', ref: '' };
}

// The probe

function isOperable(element) {
  if (isShown(element)) {
    if (pointOf(element)) return true;
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    if (pointOf(element)) return true;
  }
  return labelsOf(element).some(isShown) || (element.type === 'file' && element.isConnected);
}

function bringIntoView(element) {
  if (isShown(element) && (!pointOf(element) || coverOf(element))) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
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
    const name = labelsOf(field).map(label => label.innerText).join(' ') || field.getAttribute('aria-label') || field.name || field.id;
    const value = field.type === 'radio' || (field.type === 'checkbox' && field.value !== 'on') ? field.value : shownValue(field);
    fields.push([squeeze(name, 60), squeeze(value, 200)]);
    if (fields.length === 40) break;
  }
  return fields;
}

function formOf(element, submitter) {
  const form = (submitter || element).form || element.closest('form');
  if (!form) return null;
  const method = (submitter?.getAttribute('formmethod') || form.getAttribute('method') || 'get').toUpperCase();
  const action = submitter?.getAttribute('formaction') || form.getAttribute('action') || '';
  return { method, action: absolute(action || location.href), fields: fieldsOf(form), submit: submitNameOf(form), words: textWithoutControls(form) };
}

/** The button that Enter in a field of the form presses: the first one that submits. */
function submitNameOf(form) {
  const button = [...form.elements].find(one => one.type === 'submit') ?? form.querySelector('input[type=image]');
  return button ? squeeze(button.getAttribute('aria-label') || button.innerText || button.value || button.alt || button.title, 60) : '';
}

function absolute(url) {
  try { return new URL(url, document.baseURI).href; } catch { return url; }
}

function probe(token, ref) {
  const element = heldOrFound(token, ref);
  if (!element?.isConnected) return { document: state().id, found: false };
  const visible = isOperable(element);
  if (visible) bringIntoView(element);
  const box = element.getBoundingClientRect();
  const button = element.closest('button, input[type=submit], input[type=image]');
  const submits = !!button && /^(submit|image)$/.test(button.type) && !!button.form;
  return {
    document: state().id, found: true, ref: element._ariaRef?.ref ?? '', url: location.href, visible, enabled: !isDisabled(element),
    readonly: !!element.readOnly || element.getAttribute('aria-readonly') === 'true', cover: visible ? coverOf(element) : null,
    box: [box.x, box.y, box.width, box.height], point: pointOf(element), tag: element.localName,
    type: typeof element.type === 'string' ? element.type : '', value: squeeze(shownValue(element), 2000), secret: state().secretFields.has(element),
    submits, form: formOf(element, submits ? button : null), href: element.closest('a[href]')?.href ?? '', editable: element.isContentEditable || /^(input|textarea)$/.test(element.localName),
    around: aroundOf(element, new Map()), marks: [[element._ariaRef?.ref ?? '', marksOf(element, openModal()), '']], secrets: [...state().secrets],
  };
}

// Around an act

function value(token) {
  const element = state().held.get(token);
  if (!element?.isConnected) return { found: false, value: '' };
  const field = element.localName === 'label' && element.control ? element.control : element;
  return { found: true, value: shownValue(field).slice(0, 2000) };
}

/** The label a person would click, when the checkbox or radio itself cannot be hit. */
function labelInPlaceOf(element) {
  if (element?.localName === 'label' && /^(checkbox|radio)$/.test(element.control?.type)) return element;
  if (!element || !/^(checkbox|radio)$/.test(element.type)) return null;
  const point = isShown(element) ? pointOf(element) : null;
  if (point && deepHit(...point) === element) return null;
  return labelsOf(element).find(isShown) ?? null;
}

const label = token => ({ found: !!labelInPlaceOf(state().held.get(token)) });
