// Starts a task once, with the seed of the address, and answers the bench over a socket that no agent hears of.
(() => {
  const nothing = () => {};
  Object.assign(core, {
    createDisplay: nothing, reloadDisplay: nothing, updateDisplay: nothing, hideDisplay: nothing,
    countdownTimer: nothing, clearTimer: nothing, canvasClear: nothing, cover_div: document.createElement('div'),
  });
  let started = false, judged = null, events = 0, moved = 0;

  core.startEpisode = () => {
    if (started) return;
    started = true;
    Math.seedrandom(new URLSearchParams(location.search).get('seed'));
    core.EPISODE_MAX_TIME = 100000000;
    core.startEpisodeReal();
  };
  core.endEpisode = (reward, _, reason) => {
    if (judged) return;
    judged = { reward: Number(reward), reason: String(reason || '') };
    WOB_DONE_GLOBAL = true;
  };

  const inputs = ['pointerdown', 'pointermove', 'click', 'keydown', 'wheel'];
  const effects = ['input', 'change', 'focusin', 'focusout', 'scroll'];
  for (const kind of inputs) addEventListener(kind, () => { events += 1; }, { capture: true, passive: true });
  for (const kind of effects) addEventListener(kind, () => { moved += 1; }, { capture: true, passive: true });
  document.addEventListener('selectionchange', () => { moved += 1; });
  new MutationObserver(() => { moved += 1; }).observe(
    document, { subtree: true, childList: true, attributes: true, characterData: true });

  const goal = () => {
    const said = core.getUtterance();
    return typeof said === 'string' ? said : said.utterance;
  };
  const state = () => ({ ready: started && WOB_TASK_READY, goal: started ? goal() : '', judged, events, moved });
  const socket = new WebSocket('ws://127.0.0.1:PROBE_PORT/' + location.search);
  socket.onmessage = () => socket.send(JSON.stringify(state()));
})();
