const kinds = ["Mug", "Lantern", "Rope"];
const looks = ["Blue", "Tall", "Plain", "Heavy", "Small"];
const articles = Array.from({ length: 60 }, (_, at) => ({
  number: at + 1,
  name: `${looks[at % 5]} ${kinds[at % 3]} ${100 + at}`,
  price: ((at * 7919) % 20000) / 100 + 1.99,
  stock: at % 7 !== 3,
}));
let items = 0;
let total = 0;
const form = document.querySelector("#search");

function shown() {
  const words = form.words.value.trim().toLowerCase();
  const found = articles.filter(
    (one) => one.name.toLowerCase().includes(words) && (one.stock || !form.stock.checked),
  );
  const key = form.sort.value;
  return found.sort((a, b) => (a[key] > b[key] ? 1 : a[key] < b[key] ? -1 : 0));
}

function draw() {
  const found = shown();
  document.querySelector("#found").textContent = `${found.length} articles`;
  document.querySelector("tbody").replaceChildren(...found.map(row));
}

function row(one) {
  const made = document.createElement("tr");
  made.innerHTML = `<td>${one.number}</td><td><a href="/form.html?article=${one.number}">${one.name}</a></td>
    <td>$${one.price.toFixed(2)}</td><td><button type="button">Add to cart</button></td>`;
  made.querySelector("button").addEventListener("click", (event) => add(one, event.target));
  return made;
}

function add(one, button) {
  items += 1;
  total += one.price;
  document.querySelector("#count").textContent = `${items} ${items === 1 ? "item" : "items"}`;
  document.querySelector("#total").textContent = `$${total.toFixed(2)}`;
  button.insertAdjacentHTML("afterend", "<span> In your cart</span>");
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  draw();
});
form.sort.addEventListener("change", draw);
form.stock.addEventListener("change", draw);
draw();
