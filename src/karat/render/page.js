// Tables of a report sort by a click on a heading and filter by what is typed above them. Without this script
// everything is there all the same.
"use strict";

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function cellValue(row, place) {
  const text = row.cells[place].textContent.trim().replace(/^</, ""); // a p-value may only be said to be small
  const number = Number.parseFloat(text.replace(/[,\s]/g, "").replace("−", "-"));
  return Number.isNaN(number) ? text.toLowerCase() : number;
}

function compareValues(a, b, sign) {
  if (typeof a === typeof b) return (a < b ? -1 : a > b ? 1 : 0) * sign;
  return typeof a === "number" ? -1 : 1; // what is undefined comes last, up or down
}

function sortBy(table, place, heading) {
  const numbers = [...table.tBodies[0].rows].some((row) => typeof cellValue(row, place) === "number");
  const before = heading.getAttribute("aria-sort"); // numbers begin with the largest, names with the first
  const down = before ? before === "ascending" : numbers;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((x, y) => compareValues(cellValue(x, place), cellValue(y, place), down ? -1 : 1));
  table.tBodies[0].append(...rows);
}

function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((heading, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sortBy(table, place, heading));
    heading.append(button);
  });
}

function wholeText(row) {
  return [...row.cells].map((cell) => cell.dataset.text ?? cell.textContent).join(" "); // names may be shortened
}

function makeFilterable(table) {
  const label = document.createElement("label");
  const field = document.createElement("input");
  field.type = "search";
  label.className = "filter";
  label.append("Filter ", field);
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !wholeText(row).toLowerCase().includes(wanted);
    none.hidden = [...table.tBodies[0].rows].some((row) => !row.hidden);
  });
  const none = element("span", { hidden: true }, " no row has that");
  label.append(none);
  table.closest(".scroll").before(label);
}

for (const table of document.querySelectorAll("main .scroll table")) {
  if (table.tBodies[0].rows.length < 2 || (table.closest(".tiles") && table.tHead.rows[0].cells.length < 3)) continue;
  makeSortable(table);
  if (table.tBodies[0].rows.length > 8) makeFilterable(table);
}

// A link to a run opens it, in browsers that do not do so by themselves.
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const closed = target && target.closest("details:not([open])");
  if (!closed) return;
  closed.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", openTarget);
openTarget();

// The menu says which section is in sight.
const menu = new Map([...document.querySelectorAll("nav.menu a")].map((link) => [link.hash.slice(1), link]));
const watch = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    for (const link of menu.values()) link.removeAttribute("aria-current");
    menu.get(target.id)?.setAttribute("aria-current", "true");
  }
}, { rootMargin: "0px 0px -80% 0px" });
for (const anchor of menu.keys()) if (document.getElementById(anchor)) watch.observe(document.getElementById(anchor));
