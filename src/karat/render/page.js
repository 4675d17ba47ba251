// Tables of a report sort by a click on a heading and filter by what is typed above them. Without this script
// everything is there all the same.
"use strict";

function cellValue(row, place) {
  const text = row.cells[place].textContent.trim();
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

function makeFilterable(table) {
  const label = document.createElement("label");
  const field = document.createElement("input");
  field.type = "search";
  label.className = "filter";
  label.append("Filter ", field);
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
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
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
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

// Every pair: data until it is asked for. A page of them is listed; one that is opened shows T, H, key and all answers.
const PAGE = 50;

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function labelOf(items, letter) {
  return letter === "-" ? "–" : items.labels[letter.charCodeAt(0) - 97].replace("_", " ");
}

function answersOf(items, place, answers, what, verdictOf) {
  const rows = Object.entries(answers).filter(([, letters]) => letters[place] !== "-").map(([who, letters]) => {
    const cells = [labelOf(items, letters[place]), verdictOf(who)].map((text) => element("td", {}, text));
    return element("tr", {}, element("th", { scope: "row" }, who), ...cells);
  });
  const head = [what, "answer", "beside the key"].map((name) => element("th", { scope: "col" }, name));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  return element("div", { className: "scroll", tabIndex: 0 }, table);
}

function itemOf(items, place) {
  const all = Object.values(items.right);
  const right = all.filter((verdicts) => verdicts[place] === "1").length;
  const told = items.key[place] === "-" ? "no key" : `${labelOf(items, items.key[place])}, ${right} of ${all.length} right`;
  const item = element("details", {}, element("summary", {}, `${items.ids[place]}: ${told}`));
  item.addEventListener("toggle", () => {
    if (!item.open || item.childElementCount > 1) return;
    const sides = items.texts.length ? [["T ", items.texts[place]], ["H ", items.hypotheses[place]]] : [];
    item.append(
      ...sides.map(([side, text]) => element("p", {}, element("strong", {}, side), text)),
      element("p", {}, element("strong", {}, "Key "), items.key[place] === "-" ? "none" : labelOf(items, items.key[place])),
      answersOf(items, place, items.answers, "run", (run) => ({ 0: "wrong", 1: "right", "-": "" })[items.right[run][place]]),
    );
    if (Object.keys(items.assessors).length) {
      const same = (who) => (items.assessors[who][place] === items.key[place] ? "the same" : "another");
      item.append(answersOf(items, place, items.assessors, "assessor", same));
    }
  });
  return item;
}

function choiceOf(options) {
  return element("select", {}, ...options.map(([value, name]) => element("option", { value }, name)));
}

function listItems(data, target) {
  const items = JSON.parse(data.textContent);
  const runs = Object.keys(items.right);
  const words = items.ids.map((id, place) => [id, items.texts[place], items.hypotheses[place]].join(" ").toLowerCase());
  const letters = [...new Set(items.key)].sort();
  const field = element("input", { type: "search" });
  const key = choiceOf([["", "any"], ...letters.map((letter) => [letter, letter === "-" ? "none" : labelOf(items, letter)])]);
  const choice = choiceOf([["", "any"], ["none", "right in no run"], ["all", "right in every run"],
    ...runs.map((run) => [`run ${run}`, `wrong by ${run}`])]);
  const told = element("p", { className: "note" });
  const list = element("div", {});
  const more = element("button", { type: "button" }, "Show more");
  let found = [];
  const wanted = {
    "": () => true,
    none: (place) => runs.every((run) => items.right[run][place] === "0"),
    all: (place) => runs.every((run) => items.right[run][place] === "1"),
  };
  runs.forEach((run) => { wanted[`run ${run}`] = (place) => items.right[run][place] === "0"; });
  const show = () => {
    const shown = list.childElementCount;
    list.append(...found.slice(shown, shown + PAGE).map((place) => itemOf(items, place)));
    more.hidden = list.childElementCount >= found.length;
  };
  const search = () => {
    const asked = field.value.toLowerCase().split(/\s+/);
    found = words.map((_, place) => place).filter((place) => asked.every((word) => words[place].includes(word)) &&
      (!key.value || items.key[place] === key.value) && wanted[choice.value](place));
    list.replaceChildren();
    told.textContent = `${found.length} of ${items.ids.length} pairs`;
    show();
  };
  told.setAttribute("role", "status");
  field.addEventListener("input", search);
  [key, choice].forEach((one) => one.addEventListener("change", search));
  more.addEventListener("click", show);
  const labels = [["Search ", field], ["Key ", key], ["Answers ", choice]]
    .map(([name, one]) => element("label", { className: "filter" }, name, one));
  target.append(...labels, told, list, more);
  search();
  for (const link of document.querySelectorAll("a.wrong")) {
    link.addEventListener("click", () => {
      [field.value, key.value, choice.value] = ["", "", `run ${link.dataset.run}`];
      search();
    });
  }
}

const itemData = document.getElementById("item-data");
if (itemData) listItems(itemData, document.getElementById("item-list"));
