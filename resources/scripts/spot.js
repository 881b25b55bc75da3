// What lies at a point of the viewport, for clicks by point: the nodes there that the driver has a ref for.

const DRAWN = /^(canvas|img|video|svg|embed|object|picture)$/;

/** x and y count from the frame's own corner in pixels of the page around it, in which the frame is `wide` (0: the same pixels). */
function spot(x, y, token, wide) {
  const k = +wide ? innerWidth / +wide : 1, [px, py] = [+x * k, +y * k];
  const hit = deepHit(px, py);
  if (!hit) return { document: state().id, kind: 'none', k };
  if (isFrame(hit)) {
    hold(token, hit);
    return { document: state().id, kind: 'frame', k, inner: insideOf(hit) };
  }
  let control = hit;
  while (control && !plain(control).matches(USABLE)) control = parentOf(control);
  const nodes = [];
  for (let at = control ?? hit; at; at = parentOf(at)) {
    const box = plain(at).getBoundingClientRect();
    if (at._ariaRef || at === control) nodes.push([at._ariaRef?.ref ?? '', px - box.left, py - box.top]);
  }
  const drawn = plain(hit).closest('svg') ?? hit;
  return { document: state().id, kind: 'element', k, nodes, control: !!control, drawn: DRAWN.test(plain(drawn).localName), ...spotName(drawn) };
}

function spotName(element) {
  const name = squeeze(plain(element).getAttribute('aria-label') || element.title || element.alt || element.id || '', 60);
  const tag = plain(element).localName;
  return { name: name ? `${tag} "${name}"` : DRAWN.test(tag) ? tag : describe(element, null).description };
}

/** Where the page in a frame begins, and how wide it is, in pixels of the page around it. */
function insideOf(frame) {
  const style = getComputedStyle(frame), box = frame.getBoundingClientRect(), by = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
  const left = frame.clientLeft + parseFloat(style.paddingLeft), top = frame.clientTop + parseFloat(style.paddingTop);
  return [box.left + left * by, box.top + top * by, (frame.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) * by];
}

/** How much of the viewport canvases, videos and pictures without a text cover, from 0 to 1. */
function drawnShare() {
  let area = 0;
  for (const element of [...document.querySelectorAll('canvas, video, embed, object, img:not([alt])')].slice(0, 60)) {
    const box = element.getBoundingClientRect();
    const width = Math.min(box.right, innerWidth) - Math.max(box.left, 0), height = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    if (width >= 40 && height >= 40 && isShown(element)) area += width * height;
  }
  return Math.min(1, area / Math.max(1, innerWidth * innerHeight));
}
