// Tables of a report sort by a click on a heading and filter by what is typed above them. Without this script
// everything is there all the same.
"use strict";

function cellValue(row, place) {
  const text = row.cells[place].textContent.trim();
  const number = Number.parseFloat(text.replace(/[,\s]/g, "").replace("−", "-"));
  return Number.isNaN(number) ? text.toLowerCase() : number;
}

function compareValues(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "number" ? -1 : 1; // what is undefined comes after numbers
}

function sortBy(table, place, heading) {
  const down = heading.getAttribute("aria-sort") !== "descending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((x, y) => compareValues(cellValue(x, place), cellValue(y, place)) * (down ? -1 : 1));
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

function makeFilterable(table) {
  const label = document.createElement("label");
  const field = document.createElement("input");
  field.type = "search";
  label.className = "filter";
  label.append("Filter ", field);
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.closest(".scroll").before(label);
}

for (const table of document.querySelectorAll("main table")) {
  if (table.tBodies[0].rows.length < 2) continue;
  makeSortable(table);
  if (table.tBodies[0].rows.length > 8) makeFilterable(table);
}
