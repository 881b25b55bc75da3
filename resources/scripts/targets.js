// Questions about one element: finding it by the driver's ref, and everything that must be known right before an act.

function find(ref) {
  const quick = state().found.get(ref)?.deref();
  if (quick && plain(quick).isConnected && quick._ariaRef?.ref === ref) return quick;
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
  const at = focusedElement();
  return at && at !== document.body && at !== document.documentElement ? bound(at, token) : { document: state().id, kind: 'none' };
}

function under(x, y, token) {
  const hit = deepHit(+x, +y);
  if (!hit) return { document: state().id, kind: 'none' };
  let at = hit;
  while (at && !plain(at).matches(USABLE)) at = parentOf(at);
  return bound(at ?? hit, token);
}

function bound(element, token) {
  hold(token, element);
  const kind = isFrame(element) ? 'frame' : 'element';
  return { document: state().id, kind, ref: element._ariaRef?.ref ?? '', inner: innerPlace(element) };
}

const isFrame = element => /^i?frame$/.test(plain(element).localName);

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
    if (!rootOf(hit)) return hit;
    root = rootOf(hit);
  }
}

/** The middle of what can be seen of the element, where the driver will click; null when nothing is in the viewport. */
function pointOf(element) {
  const boxes = [...plain(element).getClientRects()].filter(box => box.width > 0 && box.height > 0);
  const box = boxes[0] || plain(element).getBoundingClientRect();
  const left = Math.max(box.left, 0), top = Math.max(box.top, 0), right = Math.min(box.right, innerWidth), bottom = Math.min(box.bottom, innerHeight);
  return right > left && bottom > top ? [(left + right) / 2, (top + bottom) / 2] : null;
}

function coverOf(element) {
  const point = pointOf(element);
  const hit = point && deepHit(...point);
  if (!hit || contains(element, hit) || contains(hit, element) || decoratedBy(hit, element)) return null;
  const labels = [...labelsOf(element), plain(element).closest('label')].filter(Boolean);
  return labels.some(label => contains(label, hit)) ? null : { ...describe(hit, element), fades: isFading(hit, element) };
}

/** Something on its way out or in: neither whole nor gone, as scripts fade things that they close. */
function isFading(cover, target) {
  for (let at = cover; at && !contains(at, target); at = parentOf(at)) {
    if (!(at instanceof Element)) continue;
    const opacity = Number(plain(at).style?.opacity || 1);
    if (opacity > 0 && opacity < 1 || plain(at).getAnimations?.().some(one => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime))) return true;
  }
  return false;
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
  return call(best, roleOf(best) || ({ button: 'button', a: 'link', img: 'img', iframe: 'iframe' })[plain(best).localName] || plain(best).localName);
}

const DISMISSES = /^(x|×|✕|ok(ay)?|close|dismiss|got it|done|cancel|accept( all)?|agree|i agree|allow( all)?|reject( all)?|decline|no,? thanks|not now|later|continue|skip)\b/i;

/** The ref of what most likely takes a cover away: its only control, else one that says so. */
function dismissalIn(cover) {
  const controls = [...plain(cover).querySelectorAll(CONTROL)].slice(0, 30).filter(one => one._ariaRef?.ref && isShown(one));
  const named = controls.find(one => DISMISSES.test(spokenName(one)));
  return (named ?? (controls.length === 1 ? controls[0] : null))?._ariaRef.ref;
}

function call(called, role) {
  const element = plain(called);
  const name = squeeze(element.getAttribute('aria-label') || element._ariaRef?.name || labelledBy(element) || element.innerText
    || element.id || element.getAttribute('class') || '', 60);
  return { description: name ? `${role} "${name}"` : role, ref: element._ariaRef?.ref ?? '', past: dismissalIn(called) ?? '' };
}

/** What a frame around the target's frame shows at a point: the frame that was meant, or a cover. */
function top(x, y) {
  const hit = deepHit(+x, +y);
  return hit ? { frame: isFrame(hit) ? hit._ariaRef?.ref ?? '' : '', ...describe(hit, null) } : { frame: '', description: '', ref: '' };
}

// The probe

/** A label can be pressed in place of a hidden box; nothing can be written into a label. */
const isWrittenIn = element => plain(element).matches('textarea, input:not([type=checkbox], [type=radio], [type=file])');

function isOperable(element) {
  if (isShown(element)) {
    if (pointOf(element)) return true;
    plain(element).scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    if (pointOf(element)) return true;
  }
  return (!isWrittenIn(element) && labelsOf(element).some(isShown)) || (element.type === 'file' && plain(element).isConnected);
}

function bringIntoView(element) {
  if (isShown(element) && (!pointOf(element) || coverOf(element))) plain(element).scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
}

function isDisabled(element) {
  if (plain(element).matches(':disabled')) return true;
  for (let at = element; at; at = parentOf(at)) if (plain(at).getAttribute('aria-disabled') === 'true' || plain(at).inert === true) return true;
  return false;
}

function fieldsOf(form) {
  const fields = [];
  for (const field of plain(form).elements) {
    if (/^(hidden|submit|button|reset|image)$/.test(field.type) || /^(fieldset|output|object)$/.test(field.localName)) continue;
    if ((field.type === 'checkbox' || field.type === 'radio') && !field.checked) continue;
    const name = labelsOf(field).map(label => label.innerText).join(' ') || field.getAttribute('aria-label') || field.name || field.id;
    const value = field.type === 'radio' || (field.type === 'checkbox' && field.value !== 'on') ? field.value : shownValue(field);
    fields.push([squeeze(name, 60), squeeze(value, 200)]);
    if (fields.length === 40) break;
  }
  return fields;
}

const MOST_SENT = 200;

/** What a form would send as it stands. The browser's own way to ask this runs scripts of the page. */
function sendsOf(form, sender) {
  const pairs = [];
  for (const field of plain(form).elements) {
    const { type, name } = field;
    if (!name || plain(field).matches(':disabled') || /^(fieldset|output|object)$/.test(field.localName)) continue;
    if (/^(submit|button|reset|image)$/.test(type) && field !== sender) continue;
    if ((type === 'checkbox' || type === 'radio') && !field.checked) continue;
    if (type === 'file') for (const file of field.files || []) pairs.push([name, file.name]);
    else if (field.localName === 'select') for (const option of field.selectedOptions) pairs.push([name, option.value]);
    else if (type !== 'image') pairs.push([name, rememberSecret(field) ? MASK : String(field.value)]);
    if (pairs.length >= MOST_SENT) break;
  }
  return pairs;
}

const FEW_WORDS = 60;

function formOf(element, submitter) {
  const form = plain(submitter || element).form || plain(element).closest('form');
  if (!form) return null;
  const sender = submitter ?? submitterOf(form);
  const method = (sender?.getAttribute('formmethod') || plain(form).getAttribute('method') || 'get').toUpperCase();
  const action = sender?.getAttribute('formaction') || plain(form).getAttribute('action') || '';
  return { method, action: absolute(action || location.href), fields: fieldsOf(form), sends: sendsOf(form, sender), submit: wordsOn(submitterOf(form)), words: wordsOf(form) };
}

/** What a form says; one that says next to nothing is explained by what it stands in. */
function wordsOf(form) {
  const words = textWithoutControls(form);
  return words.length < FEW_WORDS && plain(form).parentElement ? textWithoutControls(plain(form).parentElement) : words;
}

/** The button that Enter in a field of the form presses: the first one that submits. */
const submitterOf = form => [...plain(form).elements].find(one => one.type === 'submit') ?? plain(form).querySelector('input[type=image]');

/** A link that a script of the page sends as a form does, as widespread libraries mark it. */
function sendingLinkOf(element) {
  const link = plain(element).closest('[data-method], [data-turbo-method], [hx-post], [hx-put], [hx-patch], [hx-delete]');
  if (!link || link instanceof HTMLFormElement) return null;
  const hx = ['post', 'put', 'patch', 'delete'].find(method => link.hasAttribute(`hx-${method}`));
  const method = (hx || link.dataset.turboMethod || link.dataset.method).toUpperCase();
  const action = absolute((hx && link.getAttribute(`hx-${hx}`)) || link.getAttribute('href') || '');
  return method === 'GET' ? null : { method, action, fields: [], sends: [], submit: wordsOn(link), words: '' };
}

// What a press sets off, and what is written on it

const PRESSED = 'button, input[type=submit], input[type=image], input[type=button], input[type=reset], [role=button], [role=menuitem], a[href]';

function pressedBy(element) {
  for (let at = element; at; at = parentOf(at)) if (plain(at).matches(PRESSED)) return at;
  const control = plain(element).closest('label')?.control;
  return control?.matches(PRESSED) ? control : element;
}

/** All that a person can read on it, also where its accessible name says something else. */
function wordsOn(pressed) {
  const element = pressed && plain(pressed);
  if (!element || element.isContentEditable || (/^(input|textarea|select)$/.test(element.localName) && !element.matches(PRESSED))) return '';
  const said = [element.innerText, element.matches('input') ? pressed.value : '', element.getAttribute('alt'), element.getAttribute('aria-label'), element.title];
  const pictures = [...element.querySelectorAll('img[alt], [aria-label], [title]')].slice(0, 5);
  for (const one of pictures) said.push(one.getAttribute('alt'), one.getAttribute('aria-label'), one.getAttribute('title'));
  return squeeze([...new Set(said.map(text => squeeze(text, 120)))].filter(Boolean).join(' '), 240);
}

function absolute(url) {
  try { return new URL(url, document.baseURI).href; } catch { return url; }
}

function probe(token, ref) {
  const element = heldOrFound(token, ref), it = element && plain(element);
  if (!it?.isConnected) return { document: state().id, found: false };
  const before = it.getBoundingClientRect(), visible = isOperable(element);
  if (visible) bringIntoView(element);
  meant().set(element, markOf(element));
  const box = it.getBoundingClientRect();
  const pressed = pressedBy(element), sending = sendingLinkOf(element);
  const submits = sending !== null || /^(submit|image)$/.test(pressed.type) && !!pressed.form;
  return {
    document: state().id, found: true, scrolled: box.y !== before.y || box.x !== before.x, ref: element._ariaRef?.ref ?? '', url: location.href, visible, enabled: !isDisabled(element),
    readonly: it.readOnly === true || it.getAttribute('aria-readonly') === 'true', cover: visible ? coverOf(element) : null,
    box: [box.x, box.y, box.width, box.height], point: pointOf(element), tag: it.localName,
    type: typeof element.type === 'string' ? element.type : '', value: squeeze(shownValue(element), 2000),
    submits, form: sending ?? formOf(element, submits ? pressed : null), href: hrefOf(pressed), words: wordsOn(pressed), editable: it.isContentEditable || /^(input|textarea)$/.test(it.localName),
    around: aroundOf(element, new Map()), marks: [[element._ariaRef?.ref ?? '', marksOf(element, openModal()), '', standsFor(it)]], left: element._ariaRef ? [leftOut(element, element._ariaRef, box)].filter(Boolean) : [], secrets: [...state().secrets],
  };
}

const hrefOf = element => plain(element).closest('a[href]')?.href ?? '';

// Around an act

function value(token) {
  const element = state().held.get(token);
  if (!element?.isConnected) return { found: false, value: '' };
  const field = element.localName === 'label' && element.control ? element.control : element;
  return { found: true, value: (drawnText(field) ?? shownValue(field)).slice(0, 2000) };
}

/** The label a person would click, when the checkbox or radio itself cannot be hit. */
function labelInPlaceOf(element) {
  if (element?.localName === 'label' && /^(checkbox|radio)$/.test(element.control?.type)) return element;
  if (!element || !/^(checkbox|radio)$/.test(element.type)) return null;
  const point = isShown(element) ? pointOf(element) : null;
  if (point && deepHit(...point) === element) return null;
  return labelsOf(element).find(isShown) ?? null;
}
