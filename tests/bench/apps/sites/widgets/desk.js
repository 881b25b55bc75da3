const PORTS = ["Aberdeen", "Bergen", "Cork", "Dakar", "Esbjerg", "Faro", "Genoa", "Hobart", "Izmir", "Jaffa"];
const GOODS = ["Barley", "Copper", "Cotton", "Glass", "Machines", "Oranges", "Paper", "Timber", "Wool"];
const STATES = ["waiting", "loaded", "at sea", "landed"];

// The same numbers each time, so that every visit shows the same page.
let seed = 20261;
const draw = (count) => {
  seed = (seed * 48271) % 2147483647;
  return seed % count;
};
const shipments = Array.from({ length: 180 }, (_, at) => ({
  id: at + 1,
  goods: GOODS[draw(GOODS.length)],
  port: PORTS[draw(PORTS.length)],
  crates: 1 + draw(90),
  state: STATES[draw(STATES.length)],
}));

flatpickr("#departure", { defaultDate: "2026-03-02", monthSelectorType: "static" });
flatpickr("#period", { mode: "range", defaultDate: ["2026-04-06"], monthSelectorType: "static" });
const port = new TomSelect("#port", { options: PORTS.map((name) => ({ value: name, text: name })), create: false });

const grid = new Tabulator("#grid", {
  data: shipments,
  layout: "fitColumns",
  pagination: "local",
  paginationSize: 25,
  columns: [
    { title: "No.", field: "id", width: 70 },
    { title: "Goods", field: "goods", headerFilter: "input", editor: "input" },
    { title: "Port", field: "port", headerFilter: "list", headerFilterParams: { values: PORTS, clearable: true } },
    { title: "Crates", field: "crates", editor: "number" },
    { title: "State", field: "state" },
    { title: "Urgent", formatter: () => '<input type="checkbox" aria-label="Urgent">', width: 90, headerSort: false },
  ],
});

document.querySelector("#book").addEventListener("click", () => {
  const crates = Number(document.querySelector("#crates").value);
  const goods = document.querySelector("#class").value;
  const row = { id: grid.getData().length + 1, goods, port: port.getValue() || PORTS[0], crates, state: "waiting" };
  grid.addData([row], true);
  const day = document.querySelector("#departure").value;
  document.querySelector("#said").textContent = `Booking ${row.id} for ${row.port} on ${day} was added.`;
});

const editor = new Quill("#text", { theme: "snow", modules: { toolbar: [["bold", "italic"], [{ list: "bullet" }], ["clean"]] } });
document.querySelector("#save").addEventListener("click", () => {
  document.querySelector("#saved").textContent = `Saved ${editor.getText().trim().length} characters.`;
});

const tabs = [...document.querySelectorAll("[role=tab]")];
for (const tab of tabs) {
  tab.addEventListener("click", () => {
    for (const one of tabs) {
      one.setAttribute("aria-selected", String(one === tab));
      document.getElementById(one.getAttribute("aria-controls")).hidden = one !== tab;
    }
  });
}

const questions = document.querySelector("#questions-panel");
for (let number = 1; number <= 12; number += 1) {
  const more = document.createElement("details");
  more.innerHTML = `<summary>Question ${number}: what of ${GOODS[number % GOODS.length]}?</summary>
    <p>Answer ${number}: ${GOODS[number % GOODS.length]} goes by ${PORTS[number % PORTS.length]} only.</p>
    <button type="button">Helpful ${number}</button>`;
  more.querySelector("button").addEventListener("click", (event) => { event.target.textContent = `Thanks ${number}`; });
  questions.append(more);
}
