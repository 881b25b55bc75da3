// Questions of settling: when the document last changed where a person would see it, and what says that more will come.

const SEEN_CHANGES = 80, FORGOTTEN_MS = 1000, LONGEST_MOVE_MS = 2000, PRESSED_MS = 5000, BUSY_LOOKED_AT = 30;
const SAID_BUSY = '[aria-busy=true], [role=progressbar]:not([aria-valuenow]), progress:not([value])';
const LOOKS_BUSY = '.spinner, .loading, .loader, .skeleton, .spinner-border, .is-loading';
const MOVING = /^(opacity|transform|translate|scale|rotate|visibility|display|width|height|top|left|right|bottom|(max|min|margin|inset|grid|flex|clip|block|inline).*)$/i;
const TELLING = ['aria-busy', 'aria-checked', 'aria-disabled', 'aria-expanded', 'aria-hidden', 'aria-selected', 'checked', 'class', 'disabled',
  'hidden', 'href', 'open', 'selected', 'src', 'style', 'value'];

const stillness = () => (state().stillness ??= newStillness());

function newStillness() {
  const now = performance.now();
  const kept = {
    sightAt: now, // when something in sight last changed
    effectAt: now, // when anything changed that an act could have brought about
    focusAt: now, // when a field got the focus, which is the effect of a click
    lookedAt: now,
    recent: new Map(), // changed node -> when
    crowdedAt: 0, // when more changed at once than is looked at one by one
    restless: new WeakSet(), // what moves by itself, as was found when waiting for it was in vain
    busy: new WeakSet(), // what says that it is busy, and was waited for in vain
    pressed: null,
    pressedAt: 0,
  };
  const observer = new MutationObserver(records => noteChanges(kept, records, observer));
  observeChanges(observer, document);
  for (const element of everyElement(document)) if (plain(element).shadowRoot) observeChanges(observer, plain(element).shadowRoot);
  addEventListener('click', event => notePress(kept, event), { capture: true, passive: true });
  for (const kind of ['change', 'focusin', 'scroll']) addEventListener(kind, event => noteNative(kept, event), { capture: true, passive: true });
  return kept;
}

const observeChanges = (observer, root) => observer.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: TELLING });

function noteChanges(kept, records, observer) {
  const now = performance.now();
  if (records.length > 4 * SEEN_CHANGES) kept.crowdedAt = kept.effectAt = now;
  for (const record of records.slice(0, 4 * SEEN_CHANGES)) {
    if (record.attributeName === 'value' && record.target === document.activeElement) continue; // what was typed just now
    kept.effectAt = now;
    for (const node of record.addedNodes) if (node.shadowRoot) observeChanges(observer, node.shadowRoot);
    if (record.attributeName === 'style' || kept.restless.has(record.target)) continue;
    if (kept.recent.size < SEEN_CHANGES || kept.recent.has(record.target)) kept.recent.set(record.target, now);
    else kept.crowdedAt = now;
  }
}

function notePress(kept, event) {
  const pressed = event.composedPath().find(one => one instanceof Element && one.matches('button, input, a, [role=button], [role=link]'));
  [kept.pressed, kept.pressedAt] = [pressed ?? null, performance.now()];
}

/** What the browser itself does with an act is its effect; typing is the act. */
function noteNative(kept, event) {
  const at = event.composedPath()[0], isField = at instanceof Element && at.matches('input, textarea, [contenteditable]');
  const isTyped = isField && !/^(checkbox|radio|file|range|color)$/.test(at.type);
  if (event.type !== 'focusin') kept.effectAt = isTyped ? kept.effectAt : performance.now();
  else if (isField || at.localName === 'select') kept.focusAt = performance.now();
}

function isInSight(node) {
  const element = node instanceof Element ? node : node.host ?? node.parentElement;
  if (!element) return node === document;
  if (!plain(element).isConnected || NOT_CONTENT.test(element.localName)) return false;
  if (element === document.body || element === document.documentElement) return true;
  const box = plain(element).getBoundingClientRect();
  return box.width + box.height > 0 && box.bottom >= 0 && box.right >= 0 && box.top <= innerHeight && box.left <= innerWidth;
}

function lookAtChanges(kept, now) {
  if (kept.crowdedAt > kept.lookedAt) kept.sightAt = Math.max(kept.sightAt, kept.crowdedAt);
  for (const [node, at] of kept.recent) {
    if (at > kept.sightAt && isInSight(node)) kept.sightAt = at;
    if (now - at > FORGOTTEN_MS) kept.recent.delete(node);
  }
  kept.lookedAt = now;
}

/** Changes of place, size or visibility that come to an end soon; colours are no reason to wait. */
function movingSoon() {
  return document.getAnimations().filter(one => {
    const timing = one.effect?.getComputedTiming(), target = one.effect?.target;
    if (one.playState !== 'running' || !target || !Number.isFinite(timing.endTime) || timing.endTime - (timing.localTime ?? 0) > LONGEST_MOVE_MS) return false;
    const moves = one.transitionProperty ? MOVING.test(one.transitionProperty) : one.effect.getKeyframes().some(frame => Object.keys(frame).some(name => MOVING.test(name)));
    return moves && isInSight(target);
  }).length;
}

function busyNow(kept, selector) {
  return [...document.querySelectorAll(selector)].slice(0, BUSY_LOOKED_AT).filter(element => !kept.busy.has(element) && isInSight(element) && isShown(element));
}

/** A button that was pressed and is disabled since: it waits for what it began. */
function heldButton(kept, now) {
  const it = kept.pressed;
  const isHeld = it && now - kept.pressedAt < PRESSED_MS && plain(it).isConnected && !kept.busy.has(it) && (it.disabled || plain(it).getAttribute('aria-disabled') === 'true');
  return isHeld ? [it] : [];
}

/** `busy` is 2 when something says that it is busy, 1 when something only looks so; `waiting` says for the last time. */
function quiet(waiting = '') {
  const kept = stillness(), now = performance.now();
  lookAtChanges(kept, now);
  const said = busyNow(kept, SAID_BUSY), looks = [...busyNow(kept, LOOKS_BUSY), ...heldButton(kept, now)];
  if (waiting === 'vain') {
    for (const [node, at] of kept.recent) if (now - at < FORGOTTEN_MS / 2 && node !== document.body) kept.restless.add(node);
    for (const element of [...said, ...looks]) kept.busy.add(element);
  }
  return {
    document: state().id, still: now - kept.sightAt, effect: now - kept.effectAt, focus: now - kept.focusAt, ready: document.readyState,
    busy: said.length ? 2 : looks.length ? 1 : 0, moving: movingSoon(), prints: performance.getEntriesByName('asked to print', 'mark').length,
  };
}
