// The engine itself: a question is the selector's body, its answer JSON in an element outside the document.

const QUESTIONS = { hidden, watch, look, text: visibleText, quiet, scrollCount, parts, focus, under, probe, arm, armInPlace, armHere, hindered, shutOut, lift, pick, field, closed, chooser, options, chosen, place, scroll, value, top, point, spot, drawings, selection, caret };

const ELEMENTS = {
  held: heldOrFound,
  part: token => state().parts.get(token) ?? state().closedParts.get(token),
  standin: token => standInOf(state().held.get(token)),
  option,
};

function answers(body) {
  const [name, ...words] = body.split(':');
  if (name === 'secretfields') return secretFields();
  if (name in ELEMENTS) return [ELEMENTS[name](...words) ?? document.createElement('i')];
  const paper = document.createElement('pre');
  paper.textContent = JSON.stringify(QUESTIONS[name](...words));
  return [paper];
}

return { query: (_root, body) => answers(body)[0] ?? null, queryAll: (_root, body) => answers(body) };
