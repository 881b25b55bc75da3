"use strict";

/* Shows what delivery and wrapping cost while they are chosen; the server computes the total itself. */
const extras = document.getElementById("extras");

function showExtras() {
  const method = document.querySelector("input[name=delivery]:checked");
  const wrap = document.querySelector("input[name=gift_wrap]:checked");
  if (!method) return;
  const pence = Number(method.dataset.pence) + (wrap ? Number(wrap.dataset.pence) : 0);
  const goods = Number(document.getElementById("goods").dataset.pence);
  const pounds = (amount) => "£" + (amount / 100).toFixed(2);
  extras.textContent = `${pounds(pence)}, together ${pounds(goods + pence)}`;
}

if (extras) {
  document.addEventListener("change", showExtras);
  showExtras();
}
