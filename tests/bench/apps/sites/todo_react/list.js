const html = htm.bind(React.createElement);
const { useState } = React;
const VIEWS = { All: () => true, Active: (item) => !item.done, Completed: (item) => item.done };
const begin = Array.from({ length: 20 }, (_, at) => ({ id: at, title: `Errand ${at + 1}`, done: at % 4 === 0 }));

function Item({ item, change, remove }) {
  const [draft, setDraft] = useState(null);
  const finish = () => { change({ ...item, title: draft }); setDraft(null); };
  const editing = draft !== null;
  return html`<li className=${[item.done && "completed", editing && "editing"].filter(Boolean).join(" ")}>
    <div className="view">
      <input className="toggle" type="checkbox" checked=${item.done} aria-label=${`Done: ${item.title}`}
        onChange=${() => change({ ...item, done: !item.done })} />
      <label>${item.title}</label>
      <button className="rename" type="button" onClick=${() => setDraft(item.title)}>Change</button>
      <button className="destroy" type="button" aria-label=${`Remove ${item.title}`} onClick=${remove}></button>
    </div>
    ${editing && html`<input className="edit" aria-label="New words" value=${draft} autoFocus=${true}
      onChange=${(event) => setDraft(event.target.value)} onKeyDown=${(event) => event.key === "Enter" && finish()} />`}
  </li>`;
}

function List() {
  const [items, setItems] = useState(begin);
  const [words, setWords] = useState("");
  const [view, setView] = useState("All");
  const add = (event) => {
    if (event.key !== "Enter" || !words.trim()) return;
    setItems([...items, { id: Math.max(-1, ...items.map((one) => one.id)) + 1, title: words.trim(), done: false }]);
    setWords("");
  };
  const change = (next) => setItems(items.map((one) => (one.id === next.id ? next : one)));
  const left = items.filter((one) => !one.done).length;
  return html`<div>
    <header className="header"><h1>todos</h1>
      <input className="new-todo" aria-label="What is to be done" placeholder="What needs to be done?" value=${words}
        onChange=${(event) => setWords(event.target.value)} onKeyDown=${add} /></header>
    <section className="main">
      <button type="button" onClick=${() => setItems(items.map((one) => ({ ...one, done: left > 0 })))}>Mark all</button>
      <ul className="todo-list">${items.filter(VIEWS[view]).map((item) => html`<${Item} key=${item.id} item=${item}
        change=${change} remove=${() => setItems(items.filter((one) => one.id !== item.id))} />`)}</ul>
    </section>
    <footer className="footer">
      <span className="todo-count">${left} items left</span>
      <ul className="filters">${Object.keys(VIEWS).map((name) => html`<li key=${name}><a href=${`#/${name}`}
        className=${name === view ? "selected" : ""} onClick=${() => setView(name)}>${name}</a></li>`)}</ul>
      <button className="clear-completed" type="button" onClick=${() => setItems(items.filter((one) => !one.done))}>
        Clear completed</button>
    </footer>
  </div>`;
}

ReactDOM.createRoot(document.querySelector("#root")).render(html`<${List} />`);
