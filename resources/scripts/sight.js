// What a person cannot see: computed from the top down, so that each element costs one style and one box.

const clips = style => style.overflowX !== 'visible' || style.overflowY !== 'visible';
const scrolls = style => /auto|scroll/.test(style.overflowX + style.overflowY);
const isPositioned = style => style.position !== 'static' || style.transform !== 'none';
const FORM_CONTROLS = /^(input|select|textarea|button)$/;

/** The surroundings an element passes on to what is inside it. */
const OPEN = { hidden: false, clip: null, clipOfPlaced: null, fixed: false, inScroller: false, behind: [255, 255, 255], inFlow: true, owner: '' };

function within(outer, element, style, box) {
  const inner = { ...outer };
  if (style.position === 'fixed') inner.fixed = true;
  if (scrolls(style)) inner.inScroller = true;
  if (clips(style) && element !== document.documentElement && element !== document.body) {
    inner.clip = scrolls(style) ? null : meet(style.position === 'absolute' ? outer.clipOfPlaced : outer.clip, box);
  }
  if (isPositioned(style)) inner.clipOfPlaced = inner.clip;
  else if (clips(style) && scrolls(style)) inner.clipOfPlaced = outer.clipOfPlaced;
  const behind = paint(style);
  if (behind !== undefined) { inner.behind = behind; inner.inFlow = true; } else if (/absolute|fixed|sticky/.test(style.position)) inner.inFlow = false;
  if (element._ariaRef) inner.owner = element._ariaRef.ref;
  inner.hidden = outer.hidden || style.opacity === '0' || isCutAway(style, box, element);
  return inner;
}

function surroundingsOf(element) {
  const path = [];
  for (let at = parentOf(element); at; at = parentOf(at)) path.unshift(at);
  return path.reduce((outer, at) => within(outer, at, getComputedStyle(at), plain(at).getBoundingClientRect()), OPEN);
}

const meet = (outer, box) => outer
  ? { left: Math.max(outer.left, box.left), top: Math.max(outer.top, box.top), right: Math.min(outer.right, box.right), bottom: Math.min(outer.bottom, box.bottom) }
  : { left: box.left, top: box.top, right: box.right, bottom: box.bottom };

/** The colour an element paints, null when that cannot be told, undefined when it paints none. */
function paint(style) {
  if (style.backgroundImage !== 'none' || style.backdropFilter && style.backdropFilter !== 'none') return null;
  const colour = rgb(style.backgroundColor);
  if (!colour) return null;
  return colour[3] > 0.95 ? colour : colour[3] > 0.05 ? null : undefined;
}

function rgb(text) {
  const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
  return found && [+found[1], +found[2], +found[3], found[4] === undefined ? 1 : +found[4]];
}

/** Cut to nothing with all it holds: clipped to a point, or one pixel that lets nothing out. */
function isCutAway(style, box, element) {
  if (style.position === 'absolute' && /^rect\((0px|1px)?,? ?(0px|1px),? /.test(style.clip)) return true;
  if (/^inset\((5\d|[6-9]\d|100)%/.test(style.clipPath) || style.clipPath === 'circle(0px)') return true;
  return (box.width <= 1 || box.height <= 1) && clips(style) && style.display !== 'contents' && plain(element).localName !== 'html' && element !== document.body;
}

function isUnseen(element, outer, style, box) {
  if (!outer.hidden && isPressedByLabel(plain(element))) return false;
  if (style.opacity === '0' && FORM_CONTROLS.test(plain(element).localName) && !outer.hidden) return false;
  if (outer.hidden || style.opacity === '0' || style.visibility !== 'visible') return true;
  if (style.display === 'contents') return isTextInvisible(element, outer, style, box);
  if (isCutAway(style, box, element)) return true;
  const empty = box.width <= 1 || box.height <= 1;
  if (empty && !plain(element).firstElementChild && !plain(element).shadowRoot && hasOwnText(element)) return true;
  return isOutOfReach(outer, style, box) || isTextInvisible(element, outer, style, box);
}

/** A box or a dot that is drawn by its label, and used by a press on that. */
const isPressedByLabel = it => /^(checkbox|radio)$/.test(it.type) && [...it.labels ?? []].some(label => {
  const box = label.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && getComputedStyle(label).visibility === 'visible';
});

/** Where neither scrolling the page nor scrolling a part of it can bring it. */
function isOutOfReach(outer, style, box) {
  const clip = style.position === 'absolute' ? outer.clipOfPlaced : outer.clip;
  if (box.width === 0 && box.height === 0) return false;
  if (outer.fixed || style.position === 'fixed') return box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight;
  if (clip && (box.right <= clip.left || box.left >= clip.right || box.bottom <= clip.top || box.top >= clip.bottom)) return true;
  if (outer.inScroller) return false;
  const page = document.scrollingElement || document.documentElement;
  if (box.right + page.scrollLeft <= 0) return getComputedStyle(document.documentElement).direction !== 'rtl';
  return box.bottom + page.scrollTop <= 0 || box.left + page.scrollLeft >= Math.max(page.scrollWidth, innerWidth);
}

function hasOwnText(element) {
  for (let node = plain(element).firstChild; node; node = node.nextSibling) if (node.nodeType === 3 && node.nodeValue.trim()) return true;
  return false;
}

function isTextInvisible(element, outer, style, box) {
  if (!hasOwnText(element)) return false;
  if (parseFloat(style.fontSize) < 3) return true;
  if (Math.abs(parseFloat(style.textIndent)) > 500 && style.backgroundImage === 'none' && !plain(element).matches(CONTROL)) return true;
  const colour = rgb(style.webkitTextFillColor || style.color);
  if (!colour || style.textShadow !== 'none' || style.backgroundImage !== 'none') return false;
  if (colour[3] < 0.05) return true;
  const own = paint(style), behind = own === undefined ? outer.behind : own;
  if (!behind || ![0, 1, 2].every(i => Math.abs(colour[i] - behind[i]) < 12)) return false;
  return own !== undefined || isPlainBehind(element, outer, behind);
}

/** Something else than the background of an ancestor may lie behind: a picture, a coloured box beside it. */
function isPlainBehind(element, outer, behind) {
  const range = document.createRange();
  range.selectNodeContents([...plain(element).childNodes].find(node => node.nodeType === 3 && node.nodeValue.trim()));
  const box = range.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return outer.inFlow;
  const stack = plain(element).getRootNode().elementsFromPoint(x, y);
  const below = stack.slice(stack.indexOf(element) + 1);
  for (const other of stack.includes(element) ? below : []) {
    if (/^(img|video|canvas|svg|picture|iframe)$/.test(other.localName)) return false;
    const colour = paint(getComputedStyle(other));
    if (colour === null) return false;
    if (colour) return [0, 1, 2].every(i => Math.abs(colour[i] - behind[i]) < 12);
  }
  return true;
}

function isShown(shown) {
  const element = plain(shown);
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
}

function openModal() {
  const found = [...document.querySelectorAll('dialog:modal, [aria-modal="true"]')].filter(isShown);
  return found[found.length - 1] ?? null;
}
