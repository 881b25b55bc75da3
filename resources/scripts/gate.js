// The gate: a target must mean at the moment the input arrives what it meant when it was read; else no input gets in.

const TICKING = /\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b|\b\d+(?:[.,]\d+)?\s?(?:ms|s|secs?|seconds?)\b/gi;
const COUNTDOWN = /\b(left|remaining|expires?|ends?|elapsed|reserved|to go)\b(\D{0,20})\d{1,2}:\d{2}\b|\b\d{1,2}:\d{2}(\D{0,12}\b(?:left|remaining|to go)\b)/gi;
const GATED = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', 'keydown', 'keypress', 'keyup', 'beforeinput'];
const LONGEST_GATE_MS = 8000;
const SHUT_OUT_MS = 4000;
const PRESSES = /^(Enter| )$/;
const READ = 240;

const meant = () => (state().meant ??= new WeakMap());

/** The same words without what counts by the second, which must not hold up a press. */
const steady = text => text.replace(TICKING, ' ').replace(COUNTDOWN, '$1$2$3').replace(/\s+/g, ' ');

function sayingsOf(element) {
  const it = plain(element), takesText = it.matches('textarea, select, [contenteditable]') || (it.localName === 'input' && !it.matches(PRESSED));
  const pictures = [...it.querySelectorAll('[alt], [aria-label], [title]')].slice(0, 5);
  const named = [it, ...pictures].flatMap(one => ['aria-label', 'alt', 'title', 'placeholder'].map(name => one.getAttribute(name)));
  const labels = labelsOf(element).map(label => squeeze(label.textContent, 80));
  return [it.getAttribute('role'), element.type, takesText ? '' : squeeze(it.textContent, READ), it.matches('input') && !takesText ? element.value : '',
    labelledBy(element), ...labels, ...named].filter(Boolean);
}

/** Everything in which a change makes an act on the element another act, in one text. */
function markOf(element) {
  const pressed = pressedBy(element), sending = sendingLinkOf(element);
  const submits = sending !== null || (/^(submit|image)$/.test(pressed.type) && !!pressed.form);
  const form = sending ?? formOf(element, submits ? pressed : null);
  const sent = submits ? form : form && [form.method, form.action];
  return steady(JSON.stringify([
    sayingsOf(element), pressed === element ? '' : sayingsOf(pressed), aroundOf(element, new Map()), hrefOf(pressed), isDisabled(element),
    plain(element).readOnly === true, sent, location.host + location.pathname + (/^#!?[/]/.test(location.hash) ? location.hash : ''),
  ]));
}

/** Whether the element held under the token still means what it meant when it was probed, and where to press it; from now on input is checked. */
function arm(token, sign) {
  lift();
  const element = state().held.get(token), mark = element && meant().get(element);
  if (!element || !plain(element).isConnected || !mark || markOf(element) !== mark) return { armed: false };
  watchInput({ element, mark, until: performance.now() + LONGEST_GATE_MS, verdict: '', sign: `${sign} ${token}` });
  return { armed: true, aim: aim(element) };
}

/** For a press at a point and for a key: it gets in only where it falls on the element held under the token. */
function armHere(token) {
  lift();
  const element = state().held.get(token);
  if (element) watchInput({ element, byHit: true, until: performance.now() + LONGEST_GATE_MS, verdict: '' });
  return { armed: !!element };
}

/** For a while no press and no key gets into this frame: what comes is meant for another one. */
function shutOut() {
  lift();
  watchInput({ element: document.documentElement, until: performance.now() + SHUT_OUT_MS, verdict: 'shut' });
  return {};
}

function watchInput(gate) {
  Object.assign(gate, { down: false, early: 0, outlived: false, clicked: false, caught: false, astray: false });
  gate.check = event => check(gate, event);
  gate.after = event => event.isTrusted && gate.verdict === 'open' && queueMicrotask(() => settleDown(gate));
  gate.moves = new MutationObserver(records => { gate.early += records.length; });
  for (const kind of GATED) window.addEventListener(kind, gate.check, { capture: true, passive: false });
  window.addEventListener('mousedown', gate.after);
  state().gate = gate;
}

/** The one thing on the page that means the same, when the page threw the target away and drew it anew. */
function alikeOf(element, mark) {
  const said = steady(squeeze(plain(element).textContent, READ)), found = [];
  for (const one of everyElement(document)) {
    if (one.localName === element.localName && steady(squeeze(plain(one).textContent, READ)) === said && markOf(one) === mark) found.push(one);
    if (found.length > 1) return null;
  }
  return found[0] ?? null;
}

/** Arms the gate for a press at a point, whichever node then means the same: for a page that draws faster than we act. */
function armInPlace(token, sign) {
  lift();
  const old = state().held.get(token), mark = old && meant().get(old);
  const element = mark ? (plain(old).isConnected ? old : alikeOf(old, mark)) : null;
  if (!element || !isShown(element) || coverOf(element)) return { point: null };
  hold(token, element);
  meant().set(element, mark);
  if (!arm(token, sign).armed) return { point: null };
  state().gate.inPlace = true;
  return { point: pointOf(element) };
}

/** Whether what the press falls on is, or has taken the place of, the target. */
function isHit(gate, event) {
  if (!plain(gate.element).isConnected && gate.mark) gate.element = alikeOf(gate.element, gate.mark) ?? gate.element;
  const path = event.composedPath(), standIn = gate.byHit && standInOf(gate.element);
  return path.includes(gate.element) || standIn && path.includes(standIn) || state().roots.has(path[0]) && contains(path[0], gate.element);
}

const means = (gate, event) => plain(gate.element).isConnected && isAimed(gate, event) && markOf(gate.element) === gate.mark;

/** Whether a key that presses goes to something else by now, because the page moved the focus there. */
function goesAstray(gate, event) {
  if (!/^key/.test(event.type) || !PRESSES.test(event.key) || isAimed(gate, event)) return false;
  const aim = event.composedPath()[0], takesText = aim instanceof Element && plain(aim).matches('input, textarea, select') && !plain(aim).matches(PRESSED);
  return !takesText && !aim?.isContentEditable;
}

function check(gate, event) {
  if (!event.isTrusted) return;
  if (performance.now() > gate.until) { lift(); return; }
  gate.verdict ||= (!(gate.inPlace || gate.byHit) || isHit(gate, event)) && (gate.byHit || means(gate, event)) ? 'open' : 'shut';
  if (gate.verdict === 'open' && gate.sign) {
    console.debug(gate.sign);
    gate.sign = '';
  }
  const astray = gate.verdict === 'open' && goesAstray(gate, event);
  gate.astray ||= astray && event.type === 'keydown';
  if (gate.verdict === 'shut' || astray) {
    gate.caught = true;
    event.preventDefault();
    event.stopImmediatePropagation();
  } else if (event.type === 'pointerdown' && event.button === 0) {
    gate.moves.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  } else if (event.type === 'mousedown' && event.button === 0) {
    gate.down = true;
  } else if (event.type === 'click' && event.composedPath().some(one => one === gate.element)) {
    gate.clicked = true;
  }
}

/** Chooses in a native list, in one go with the check that it and its options are what was read. */
function pick(token, wanted) {
  const { indexes, labels } = JSON.parse(decodeURIComponent(wanted)), gate = state().gate, list = state().held.get(token);
  const same = list?.isConnected && gate?.element === list && markOf(list) === gate.mark && list.options.length === labels.length
    && [...list.options].every((option, index) => squeeze(option.label, READ) === labels[index].slice(0, READ).trim());
  if (!same) return { picked: false };
  gate.verdict = 'open';
  list.focus({ preventScroll: true });
  list.selectedIndex = -1;
  for (const index of indexes) list.options[index].selected = true;
  list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  list.dispatchEvent(new Event('change', { bubbles: true }));
  return { picked: true };
}

/** Keys go where the focus is; only the driver knows where the pointer goes, and checks that itself. */
function isAimed(gate, event) {
  if (!/^key|^beforeinput/.test(event.type)) return true;
  const aim = event.composedPath()[0];
  return aim instanceof Element && (contains(gate.element, aim) || contains(aim, gate.element));
}

/** The page has had the press of the button: what it did at once, and whether the target is still there. */
function settleDown(gate) {
  gate.early += gate.moves.takeRecords().length;
  gate.moves.disconnect();
  gate.outlived = plain(gate.element).isConnected && gate.early === 0;
}

/** Why the target cannot be used by now, which the driver would wait out; seen twice, it shuts the gate. */
function hindered(token) {
  const gate = state().gate, element = state().held.get(token), none = { fault: '', reason: '' };
  if (!gate || gate.verdict || gate.element !== element || !plain(element).isConnected) return none;
  const seen = hindranceOf(element), again = seen.fault && gate.hindrance === seen.fault;
  gate.hindrance = seen.fault;
  if (!again) return none;
  gate.verdict = 'shut';
  return seen;
}

function hindranceOf(element) {
  if (!isOperable(element)) return { fault: 'invisible', reason: 'it cannot be seen' };
  if (isDisabled(element)) return { fault: 'disabled', reason: 'it is disabled' };
  const cover = standInOf(element) ? null : coverOf(element);
  return cover ? { fault: 'covered', reason: `${cover.description} lies over it` } : { fault: '', reason: '' };
}

/**
 * Ends the gate. A press was swallowed when the page threw its target away between down and up, by no doing of the
 * press; keys missed their target when it was thrown away before any of them came.
 */
function lift() {
  const gate = state().gate;
  if (!gate) return { verdict: '', swallowed: false, missed: false, caught: false, astray: false };
  for (const kind of GATED) window.removeEventListener(kind, gate.check, { capture: true });
  window.removeEventListener('mousedown', gate.after);
  gate.moves.disconnect();
  state().gate = null;
  const gone = !plain(gate.element).isConnected;
  return { verdict: gate.verdict, swallowed: gate.down && gate.outlived && !gate.clicked && gone, missed: !gate.verdict && gone, caught: gate.caught, astray: gate.astray };
}
