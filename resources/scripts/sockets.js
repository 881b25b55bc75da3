// Runs in every page before its own scripts: what a page sends over a web socket right after somebody's act waits until
// it is decided on. Everything sent meanwhile keeps its order.

(() => {
  const maySend = globalThis.__pilotfishMaySend, send = WebSocket.prototype.send;
  delete globalThis.__pilotfishMaySend; // no script of the page is to ask in its name
  const waiting = new WeakMap(); // socket -> promise of the last message that waits
  const MOST = 100_000;
  const told = data => typeof data === 'string' ? data.slice(0, MOST) : `${data.byteLength ?? data.size} bytes, not told`;
  WebSocket.prototype.send = function (data) {
    const before = waiting.get(this);
    if (!maySend || !(this instanceof WebSocket) || !(before || navigator.userActivation?.isActive)) return send.call(this, data);
    if (this.readyState === WebSocket.CONNECTING) return send.call(this, data); // which throws, as it should
    const turn = (before ?? Promise.resolve()).then(() => maySend(this.url, told(data))).then(
      may => { if (may && this.readyState === WebSocket.OPEN) send.call(this, data); }, () => {});
    waiting.set(this, turn);
    turn.then(() => { if (waiting.get(this) === turn) waiting.delete(this); });
  };
})();
