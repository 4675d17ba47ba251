// Judging by hand: keys, saves that survive a lost connection, the next unit without a new page. All of it works
// without this file too, by plain forms.
import { atMark, digitsOnly, renew, take } from "./judge-answers.js";
import { Conflicts } from "./judge-conflicts.js";
import { adapt, contents, fill, unspoken } from "./judge-form.js";
import { newGuidelines } from "./judge-guidelines.js";
import { Keys, WRITING } from "./judge-keys.js";
import { Latest } from "./judge-latest.js";
import { EntryList } from "./judge-list.js";
import { complain, get as fetchUnit, tellSaves } from "./judge-page.js";
import { Drafts, Outbox, uuid } from "./judge-saves.js";
import { TOOLS } from "./judge-tools.js";

const page = document.getElementById("judging");
const saves = document.getElementById("saves");
const account = page.dataset.account;
const here = location.pathname;
const scope = `karat judge ${account} ${here} `;
const WIDE = "(min-width: 75rem)", RETRY = 3000;

const fetched = new Map();   // units as the server sent them, by their name
const said = new Map();      // what was answered here, by unit
const judged = new Set();    // units that were judged or skipped here
const past = [];             // units in the order in which they were judged here, as they were before
const drafts = new Drafts(scope);
let last = "";               // what the server would take back, if nothing was judged here
let counted = null;          // the newest progress that the server told
let wanting = null;          // where to go once everything is stored; `again`, not before what is being written is left
let list = null;             // what is written entry by entry, if the unit asks for that
let tool = null;             // what this kind of judging has beside that
let bundle = 0;              // decisions that are undone together
let moves = 0, seen = 0, since = 0, pointed = false, fetching = false;

const outbox = new Outbox(scope, here, account, {
  acknowledged, refused, changed: () => tell(), drained: () => (wanting ? arrive() : prefetch()), renew: () => get(""),
});

const latest = new Latest(outbox.queue);
const conflicts = new Conflicts(scope, {
  replace: (entry) => {
    if (new Map(entry.fields).get("do") !== "undo") past.push({ of: entry.unit, html: null });
    send(entry.fields, entry.unit);
    again(entry);
  },
  settled: (entry) => {
    tell("Kept what was said there.");
    again(entry);
  },
});

const unit = () => document.getElementById("judge");
const form = () => document.getElementById("answer");
const name = () => unit().dataset.unit || "";
const heading = () => document.getElementById("unit-heading");
const ahead = () => (unit().dataset.ahead ?? "").split(" ").filter(Boolean);
const writing = () => unit().contains(document.activeElement) && document.activeElement.matches(WRITING);
const missing = () => ahead().find((one) => !fetched.has(one) && !judged.has(one));
const inGroup = (one, group) => (fetched.get(one) ?? "").includes(`data-group="${group}"`);

const keys = new Keys({ unit, form, heading, list: () => list, tool: () => tool, save, agree, undo, changed });

function tell(done) {
  const waits = tellSaves(saves, outbox, page.dataset.login, done);
  if (waits && wanting && !wanting.again) complain("This was the last unit at hand. The next one comes when the saves are stored.");
}

// ---- the unit on the screen

function show(html, history = true) {
  moves += 1;  // what was asked for before this comes too late
  const before = name(), frame = document.createElement("template");
  frame.innerHTML = html;
  unit().replaceWith(frame.content.getElementById("judge"));
  if (name()) fetched.set(name(), html);
  wanting = null;
  complain("");
  if (history && name() !== before) window.history.pushState(null, "", name() ? `${here}?unit=${name()}` : here);
  ready();
  heading().focus({ preventScroll: true });
  if (name() !== before) scrollTo(0, 0);
}

function ready() {
  [seen, since] = [0, performance.now()];
  for (const one of document.querySelectorAll("[data-help]")) one.hidden = false;
  if (counted) progress();
  offerUndo();
  if (form()) {
    fill(form(), drafts.get(name()) ?? said.get(name()) ?? []);
    adapt(form());
  }
  const box = unit().querySelector("[data-entries]");
  list = box && new EntryList(box, listed, () => tool?.refresh(), drafts, name());
  const Tool = form() && TOOLS[unit().dataset.stage];
  tool = Tool ? new Tool(unit(), { list, form: form(), heading, changed, together, complain }) : null;
  atMark(unit());
  if (Number(unit().dataset.guidelines) > Number(page.dataset.guidelines)) renewGuidelines();
  prefetch();
}

function progress() {
  const words = unit().querySelector("[data-words]"), bar = unit().querySelector("[data-bar]");
  if (counted.stage !== unit().dataset.stage) return;
  if (words) words.textContent = counted.words;
  if (bar && counted.total !== null) [bar.max, bar.value] = [counted.total, counted.done];
}

function offerUndo() {
  const box = unit().querySelector("[data-undo]");
  if (box) box.hidden = !(past.length || last || (!counted && unit().dataset.last));
}

// A unit from the server, with what was done last about it; null if there is no answer.
async function get(query) {
  const before = latest.count, empty = !outbox.queue.length, html = await fetchUnit(query);
  if (html !== null) latest.learn(html, empty && before === latest.count);
  return html;
}

// ---- judging

// One decision on its way, with what it comes instead of; its id.
function send(fields, of) {
  const id = uuid(), mine = fields.filter(([key]) => !["id", "instead_of"].includes(key));
  const before = latest.get(of);
  latest.done(of, id);
  outbox.add([...mine, ["instead_of", before]], of, id);
  return id;
}

function save(act) {
  if (unit().hasAttribute("aria-busy")) return;
  const why = form().elements.skipped, fields = contents(form());
  if (act === "skip" && !why.value.trim()) {
    complain("Say in a few words why you skip it.");
    why.closest("details").open = true;
    why.focus();
    return;
  }
  if (act === "save" && (!form().reportValidity() || unspoken(form(), unit().dataset.given, complain))) return;
  if (list?.pending) return void complain("There is a new entry that is not added yet: add it, or empty its fields.");
  const of = name(), group = act === "skip" ? unit().dataset.group : "";
  said.set(of, fields);
  judged.add(of);
  past.push({ of, html: fetched.get(of) });
  drafts.drop(of);
  // Whoever disagrees with the key of a pair skips all its justifications.
  const others = group ? [...fetched.keys()].filter((one) => inGroup(one, group)) : [];
  for (const one of others) judged.add(one);
  const next = ahead().find((one) => !judged.has(one));
  const seconds = (seen + (document.hidden ? 0 : performance.now() - since)) / 1000;
  const id = send([...fields, ["do", act], ["seconds", seconds.toFixed(3)]], of);
  for (const one of others) latest.done(one, id);
  go(next ?? null, of);
}

// One entry of the list is written, changed or taken out; the list stays on the screen.
function listed(fields, of) {
  complain("");
  past.push({ of, html: null, bundle });
  fetched.delete(name());
  send(fields, of);
  offerUndo();
}

// Several decisions that one key undoes.
function together(decide) {
  bundle = past.length + 1;
  decide();
  bundle = 0;
}

function undo() {
  // What would be taken back is another unit's, and the page says that nothing can be changed.
  if (name() && !unit().hasAttribute("data-open")) return complain("Nothing can be undone here.");
  const top = past.pop(), of = top?.of ?? (last || (counted ? "" : unit().dataset.last));
  if (!of) return;
  const group = /data-group="(\w+)"/.exec(fetched.get(of) ?? "")?.[1];
  judged.delete(of);
  for (const one of group ? [...judged] : []) if (inGroup(one, group) && !past.some((it) => it.of === one)) judged.delete(one);
  said.delete(of);
  drafts.drop(of);
  if (last === of) last = "";
  wanting = { unit: of, again: true };
  send([["do", "undo"], ["unit", of], ["account", account]], of);
  if (top?.bundle && past.at(-1)?.bundle === top.bundle) undo();
  else if (top?.html) show(top.html);
  else fetched.delete(of.split("/")[0]);
}

function acknowledged(entry, told) {
  const act = new Map(entry.fields).get("do");
  last = told.last;
  counted = told;
  latest.told(Object.entries(told.latest).filter(([of]) => !outbox.queue.some((one) => one.unit === of)), true);
  if (!last && !outbox.queue.length) past.length = 0;  // what is over, such as an attempt to qualify, stays as it was
  renew(entry.unit, unit(), ahead(), fetched, get);
  progress();
  offerUndo();
  tell(outbox.queue.length ? undefined : act === "undo" ? "Taken back." : act === "skip" && !entry.unit.includes("/") ? "Skipped." : "Saved.");
  if (told.guidelines > Number(page.dataset.guidelines)) renewGuidelines();
}

// Back to what was refused, with what was entered.
function refused(entry, { text, conflict }) {
  const at = past.findLastIndex((one) => one.of === entry.unit);
  if (at >= 0) past.splice(at, 1);
  const { id, instead_of: before } = Object.fromEntries(entry.fields);
  if (latest.get(entry.unit) === id) latest.done(entry.unit, conflict?.latest ?? before);
  if (conflict) {
    const gone = conflicts.cancel(before) && new Map(entry.fields).get("do") === "undo";
    if (!gone) conflicts.add({ ...entry, ...conflict, id });
    tell("Not saved.");
    again(entry);
    return;
  }
  outbox.skipOver(entry);
  judged.delete(entry.unit);
  if (said.has(entry.unit)) drafts.set(entry.unit, said.get(entry.unit));
  said.delete(entry.unit);
  unit().removeAttribute("aria-busy");
  const wrong = `Not saved. ${text}`;
  wanting = entry.unit.includes("/") ? null : { unit: entry.unit, again: true, wrong };
  tell("Not saved.");
  complain(wrong);
}

// What the server has of a unit that was decided about in two windows: shown, if it is on the screen.
function again(entry) {
  const [whole] = entry.unit.split("/");
  fetched.delete(whole);
  said.delete(whole);
  drafts.drop(whole);
  if (wanting?.again) wanting = null;
  if (name() !== whole || wanting) return;
  wanting = { unit: whole, again: true };
  reload();
}

// The unit that is wanted again. In the middle of a word, the letters that follow would be taken for keys.
function reload() {
  if (wanting?.again && !outbox.queue.length && !writing()) arrive();
}

// ---- moving

// To a unit that is at hand, at once; otherwise when everything is stored, since what comes next may depend on it.
function go(to, after) {
  moves += 1;
  if (to && fetched.has(to)) return show(fetched.get(to));
  wanting = to ? { unit: to } : { after };
  unit().setAttribute("aria-busy", "true");
  if (!outbox.queue.length) arrive();
  return undefined;
}

// A unit from the server, or as it was here; asked for again until one of them is there, as long as it is wanted.
async function bring(query, wanted, then) {
  const html = await get(query), old = fetched.get(new URLSearchParams(query).get("unit"));
  if (!wanted()) return;
  if (html !== null || old) return void then(html ?? old, html !== null);
  complain("The server does not answer, so that unit cannot be shown yet. What you have judged is kept.");
  setTimeout(() => { if (wanted()) bring(query, wanted, then); }, RETRY);
}

function arrive() {
  if (wanting.again && writing()) return;
  const to = wanting, before = latest.count, query = to.unit ? `?unit=${to.unit}` : to.after ? `?after=${to.after}` : "";
  // What was decided meanwhile is not in it: it is asked for again when that is stored.
  bring(query, () => wanting === to && before === latest.count && !(to.again && writing()), (html) => {
    show(html);
    if (to.wrong) complain(to.wrong);
  });
}

function visit(query, history = true) {
  const turn = (moves += 1), to = new URLSearchParams(query).get("unit");
  bring(query, () => turn === moves, (html, fresh) => {
    if (fresh && !outbox.queue.some((one) => one.unit === to)) said.delete(to);
    show(html, history);
  });
}

async function prefetch() {
  if (fetching) return;
  fetching = true;
  unit().removeAttribute("data-at-hand");
  for (let of; (of = missing());) {
    const before = counted, html = await get(`?unit=${of}&ahead=yes`);
    if (html === null) break;
    if (counted === before) fetched.set(of, html);  // otherwise once more: what was stored meanwhile can be suggested now
  }
  fetching = false;
  unit().toggleAttribute("data-at-hand", !missing());  // work can go on without a connection
}

async function renewGuidelines() {
  const version = await newGuidelines(), mine = form()?.elements.guidelines;
  if (version === null) return;
  for (const one of ahead()) fetched.delete(one);
  if (mine) mine.value = version;
  prefetch();
}

// Save what is chosen; if nothing is, or the button says so, what is suggested.
function agree(always = false) {
  take(form(), always);
  save("save");
}

function changed() {
  adapt(form());
  drafts.set(name(), contents(form()));
  tool?.changed?.();
}

// ---- what the page listens to

function clicked(event) {
  const link = event.target.closest("a[data-key]");
  if (event.target.closest("[data-help]")) document.getElementById("keys").showModal();
  else if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    const query = link.getAttribute("href");
    visit(query.startsWith("?") ? query : "");
  } else if (pointed && event.target.matches('input[type="radio"]') && unit().hasAttribute("data-single")) save("save");
}

function sent(event) {
  if (event.target.matches("[data-undo]")) undo();
  else if (event.target === form() && event.submitter?.matches("[data-agree]")) agree(true);
  else if (event.target === form()) save(event.submitter?.value ?? "save");
  else return;
  event.preventDefault();
}

if (account) {
  page.classList.add("by-key");
  if (name()) {
    fetched.set(name(), unit().outerHTML);
    latest.learn(unit().outerHTML, !outbox.queue.length);
    history.replaceState(null, "", `${here}?unit=${name()}`);
  }
  document.addEventListener("keydown", (event) => {
    pointed = false;
    keys.press(event);
  });
  document.addEventListener("pointerdown", () => { pointed = true; });
  page.addEventListener("input", (event) => {
    digitsOnly(event.target);
    if (form() && event.target.form === form()) changed();
  });
  page.addEventListener("focusout", () => setTimeout(reload));
  page.addEventListener("click", clicked);
  page.addEventListener("submit", sent);
  addEventListener("popstate", () => visit(location.search, false));
  addEventListener("online", () => outbox.hurry());
  addEventListener("focus", () => outbox.hurry());
  addEventListener("beforeunload", (event) => { if (outbox.queue.length) event.preventDefault(); });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) seen += performance.now() - since;
    since = performance.now();
  });
  for (const one of outbox.queue) {
    if (new Map(one.fields).get("do") === "undo") judged.delete(one.unit);
    else judged.add(one.unit);
  }
  if (judged.has(name())) wanting = { after: name() };
  if (matchMedia(WIDE).matches) document.getElementById("guidelines").open = true;
  ready();
  if (outbox.queue.length) outbox.send();
}
