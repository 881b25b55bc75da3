// One trial of the identity matrix: a scene is drawn, changes when the bench says so, and tells what was done to what.
// TRIAL stands before this script: the dictionary `page` of identity_trials.py, and its number.

const stage = document.createElement('main');
const place = () => TRIAL.place ?? (TRIAL.route ? location.pathname + location.hash : '');
const said = Object.assign(document.createElement('p'), { role: 'status' });
const title = document.createElement('h1');
document.body.append(title, stage, said);
title.textContent = place() || 'Trial';
const asItem = ([row, name]) => ({ row, name });
let items = (TRIAL.items ?? []).map(asItem);
let root = stage, told = 0;

const tell = what => { new Image().src = `/told/${TRIAL.n}?${told += 1}=${encodeURIComponent(what)}`; };
const did = what => {
  tell(`did ${what}`);
  said.textContent += ` [done ${told}: ${what}]`;
};

// What each control means at this moment, read from the page as it is now

const rowOf = node => node.closest('tr')?.cells[0].textContent ?? node.closest('fieldset')?.querySelector('legend').textContent ?? '';
const nameOf = node => node.getAttribute('aria-label') || node.labels?.[0]?.textContent.trim() || node.textContent;
const meansNow = node => `${place()}${rowOf(node)}/${nameOf(node)}`;

function control(tag, more = {}) {
  const node = Object.assign(document.createElement(tag), more);
  const kind = tag === 'input' ? (node.type === 'checkbox' ? 'change' : 'input') : tag === 'select' ? 'change' : 'click';
  node.addEventListener(kind, event => {
    if (tag === 'a') event.preventDefault();
    const value = tag === 'select' ? `=${node.selectedOptions[0].label}` : tag === 'input' && node.type !== 'checkbox' ? `=${node.value}` : '';
    did(`${meansNow(node)}${value}${tag === 'a' ? ` to ${node.getAttribute('href')}` : ''}`);
  });
  return node;
}

// The scenes: `make` draws an item anew, `set` turns what is drawn into another item

const put = (html, node, into = 'td:last-child') => {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const made = holder.content.firstElementChild;
  (made.matches(into) ? made : made.querySelector(into)).append(node);
  return made;
};

const SCENES = {
  list: {
    make: item => put('<div></div>', control('button', { textContent: item.name }), 'div'),
    set: (made, item) => { made.firstChild.textContent = item.name; },
  },
  labels: {
    make: item => put('<div></div>', control('button', { ariaLabel: item.name, textContent: '✓' }), 'div'),
    set: (made, item) => { made.firstChild.ariaLabel = item.name; },
  },
  rows: {
    make: item => put('<table><tr><td></td><td></td></tr></table>', control('button', { textContent: item.name })),
    set: (made, item) => { made.querySelector('td').textContent = item.row; made.querySelector('button').textContent = item.name; },
  },
  links: {
    make: item => put('<table><tr><td></td><td></td></tr></table>', control('a', { textContent: item.name })),
    set: (made, item) => {
      made.querySelector('td').textContent = item.row;
      Object.assign(made.querySelector('a'), { textContent: item.name, href: `/go/${encodeURIComponent(item.row)}` });
    },
  },
  groups: {
    make: item => put('<fieldset><legend></legend></fieldset>', control('button', { textContent: item.name }), 'fieldset'),
    set: (made, item) => { made.firstChild.textContent = item.row; made.lastChild.textContent = item.name; },
  },
  fields: {
    make: item => put('<div></div>', labelled(control('input'), item), 'div'),
    set: (made, item) => { made.querySelector('span').textContent = item.name; },
  },
  checks: {
    make: item => put('<div></div>', labelled(control('input', { type: 'checkbox' }), item), 'div'),
    set: (made, item) => { made.querySelector('span').textContent = item.name; },
  },
  choices: {
    make: item => put('<fieldset><legend></legend></fieldset>', control('select', { ariaLabel: item.name }), 'fieldset'),
    set: (made, item) => {
      made.firstChild.textContent = item.row;
      const node = made.querySelector('select');
      node.ariaLabel = item.name;
      if (!node.options.length) node.append(...TRIAL.options.map((label, at) => new Option(label, `${at}`)));
    },
  },
};

function labelled(node, item) {
  const label = document.createElement('label');
  label.append(Object.assign(document.createElement('span'), { textContent: item.name }), ' ', node);
  return label;
}

const scene = SCENES[TRIAL.scene];
const drawn = item => {
  const made = scene.make(item);
  scene.set(made, item);
  made.item = item;
  return made;
};

const DRAW = {
  anew: () => root.replaceChildren(...items.map(drawn)),
  keep: () => {
    while (root.children.length > items.length) root.lastChild.remove();
    items.forEach((item, at) => { if (root.children[at]) scene.set(root.children[at], item); else root.append(drawn(item)); });
  },
  move: () => {
    const old = new Map([...root.children].map(made => [made.item, made]));
    root.replaceChildren(...items.map(item => old.get(item) ?? drawn(item)));
  },
  root: () => {
    const fresh = document.createElement('section');
    fresh.append(...items.map(drawn));
    stage.replaceChildren(fresh);
    root = fresh;
  },
  shadow: () => {
    const host = document.createElement('div');
    root = host.attachShadow({ mode: 'open' });
    root.append(...items.map(drawn));
    stage.replaceChildren(host);
  },
};

// What happens between the look and the act

const at = TRIAL.at;
const node = () => root.children[at].matches('button, input, select, a') ? root.children[at] : root.children[at].querySelector('button, input, select, a');

const CHANGES = {
  nothing: () => {},
  rename: () => { items[at] = { ...items[at], name: TRIAL.other[1] }; },
  refill: () => { items[at] = { ...items[at], row: TRIAL.other[0] }; },
  swap: () => { const to = (at + 1) % items.length; [items[at], items[to]] = [items[to], items[at]]; },
  rotate: () => { items = [...items.slice(1), items[0]]; },
  reverse: () => { items = items.slice().reverse(); },
  insert: () => { items = [{ row: TRIAL.other[0], name: TRIAL.other[1] }, ...items]; },
  remove: () => { items = items.filter((_, index) => index !== at); },
  recycle: () => { items = TRIAL.next.map(asItem); },
};

const SENT = '/sent';
const form = () => stage.querySelector('form');
const AFTER = {
  go: () => { stage.querySelector('iframe').src = TRIAL.frames[1]; },
  renew: () => { const old = stage.querySelector('iframe'); old.replaceWith(frame(TRIAL.frames[1])); },
  pass: () => { stage.querySelector('iframe').contentWindow.postMessage('change', '*'); },
  route: () => {
    if (TRIAL.route.startsWith('#')) location.hash = TRIAL.route; else history.pushState(null, '', TRIAL.route);
    title.textContent = place();
  },
  action: () => { form().action = `${SENT}/${TRIAL.n}/b`; },
  formaction: () => { form().querySelector('button').setAttribute('formaction', `${SENT}/${TRIAL.n}/b`); },
  method: () => { form().method = 'post'; },
  disable: () => { node().disabled = true; },
  hide: () => { node().style.display = 'none'; },
  cover: () => {
    const over = Object.assign(document.createElement('div'), { role: 'dialog', ariaLabel: 'Offer', textContent: 'Look at this' });
    over.style.cssText = 'position: fixed; inset: 0; background: #fffc';
    over.onclick = () => did('/the cover');
    document.body.append(over);
  },
  modal: () => {
    const over = document.createElement('dialog');
    over.append('Are you still there?', control('button', { textContent: 'Go on' }));
    document.body.append(over);
    over.showModal();
  },
  alert: () => setTimeout(() => alert('The session ends soon'), 20),
  focus: () => { (root.querySelectorAll('input')[(at + 1) % items.length] ?? stage).focus(); },
  shift: () => { for (const one of root.querySelectorAll('select')) one.append(one.options[0]); },
  values: () => { for (const one of root.querySelectorAll('select')) [...one.options].forEach((option, index) => { option.value = `${(index + 1) % one.options.length}`; }); },
  drop: () => { for (const one of root.querySelectorAll('select')) [...one.options].find(option => option.label === TRIAL.value)?.remove(); },
  redirect: () => { node().href = '/go/elsewhere'; },
  regroup: () => { const made = root.children[at], to = root.children[(at + 1) % items.length]; to.append(made.lastChild); },
};

function change() {
  if (CHANGES[TRIAL.change]) {
    CHANGES[TRIAL.change]();
    DRAW[TRIAL.draw]();
  } else AFTER[TRIAL.change]();
}

function frame(src) {
  return Object.assign(document.createElement('iframe'), { src, width: 600, height: 300 });
}

if (TRIAL.frames) stage.append(frame(TRIAL.frames[0]));
else if (TRIAL.form) stage.innerHTML = `<form action="${SENT}/${TRIAL.n}/a"><label>Note <input name="note"></label><button>${TRIAL.form}</button></form>`;
else if (TRIAL.in === 'shadow') DRAW.shadow();
else if (TRIAL.in === 'section') DRAW.root();
else DRAW.anew();

onmessage = () => change();
if (!TRIAL.inner) new EventSource(`/events/${TRIAL.n}`).onmessage = event => setTimeout(() => {
  tell('changed');
  change();
  if (TRIAL.loop) setInterval(() => { DRAW.anew(); }, TRIAL.loop);
}, +event.data);
