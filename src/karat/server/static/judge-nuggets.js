// Lists of nuggets: the strings of all responses, and the list that is made from them, each with a place where one is.
import { toggleDocument, toggleDocuments } from "./judge-documents.js";
import { askNumber } from "./judge-number.js";
import { similarity, stems } from "./judge-similar.js";

const LABELS = "123456789ABDEFGHIJKLMQRTUVWXYZ";  // without the capital letters that every page has
const ALIKE = 0.5;
const places = new Map();  // where somebody was in each unit, which comes again after an undo

const words = (text) => text.split(/\s+/).filter(Boolean);
const make = (tag, facts, ...inside) => {
  const made = Object.assign(document.createElement(tag), facts);
  made.append(...inside);
  return made;
};

export class Nuggets {
  // `desk` has: list, heading(), together(act), which makes one undo of several decisions.
  constructor(unit, desk) {
    Object.assign(this, { unit, desk, list: desk.list, merging: null, chosen: new Set() });
    this.strings = [...unit.querySelectorAll("[data-string]")];
    this.count = Number(unit.querySelector("[data-strings]").dataset.responses);
    this.box = unit.querySelector("[data-strings]");
    this.tick = unit.querySelector('[name="answer.vital"]');
    this.bar = make("p", { className: "string-tools" });
    this.bar.addEventListener("click", (event) => this.pointed(event));
    this.similar = make("p", { className: "similar" });
    this.similar.setAttribute("role", "status");
    this.similar.dataset.newOnly = "";
    const before = places.get(unit.dataset.unit) ?? {};
    this.string = this.strings.find((one) => one.dataset.string === before.string) ?? this.strings[0];
    this.nugget = this.list.row(before.nugget ?? "") ?? this.list.rows()[0] ?? null;
    this.box.addEventListener("click", (event) => {
      const at = event.target.closest("[data-string]"), button = event.target.closest("[data-read]");
      if (button) toggleDocument(button, at);
      if (at && !event.target.closest("a, button")) this.to(at);
    });
    this.list.box.addEventListener("click", (event) => this.pointed(event));
    this.list.box.addEventListener("focusin", (event) => {
      const row = event.target.closest("[data-entry]:not([data-new])");
      if (row && row !== this.nugget) this.turn(row, false);
    });
    this.list.box.addEventListener("input", (event) => { if (event.target.matches("textarea")) this.hint(event.target); });
    this.refresh();
  }

  // ---- what stands there

  text(row) { return this.list.value(row, "text"); }
  sources(row) { return words(this.list.value(row, "sources")); }
  label(row) {
    const at = this.list.rows().indexOf(row);
    return LABELS[at] ?? String(at + 1);  // after the last letter, numbers, which begin where the letters end
  }
  labelled(label) { return this.list.rows().find((row) => this.label(row) === label) ?? null; }
  get fresh() { return this.list.fresh.querySelector("form"); }
  get draft() { return this.fresh.elements["answer.text"].value.trim(); }

  inResponses(marks) {
    const of = this.strings.filter((one) => marks.includes(one.dataset.string)).flatMap((one) => words(one.dataset.in));
    return new Set(of).size;
  }

  refresh() {
    const rows = this.list.rows(), used = new Map();
    if (!rows.includes(this.nugget)) this.nugget = rows.at(-1) ?? null;
    for (const row of rows) {
      const marks = this.sources(row), head = row.querySelector(".nugget-head") ?? this.decorate(row);
      head.querySelector("[data-label]").textContent = this.label(row);
      head.querySelector("[data-label]").setAttribute("aria-label", `Nugget ${this.label(row)}: the string belongs to it, or no longer does`);
      head.querySelector("[data-share]").textContent = marks.length ? `in ${this.inResponses(marks)} of ${this.count} responses` : "in no response yet";
      row.classList.toggle("vital", this.list.value(row, "importance") === "vital");
      row.classList.toggle("current", row === this.nugget);
      for (const mark of marks) used.set(mark, [...(used.get(mark) ?? []), this.label(row)]);
    }
    for (const one of this.strings) {
      const of = used.get(one.dataset.string) ?? [];
      one.querySelector("[data-chips]").replaceChildren(...of.map((label) => make("span", { className: "chip", textContent: label })));
      one.classList.toggle("used", of.length > 0);
      one.classList.toggle("chosen", this.chosen.has(one));
      one.classList.toggle("current", one === this.string);
      if (one === this.string) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    const done = this.strings.filter((one) => one.classList.contains("used")).length;
    this.unit.querySelector("[data-used]").textContent = done ? `, ${done} used` : "";
    const vital = rows.some((row) => row.classList.contains("vital")), asked = this.tick?.closest("fieldset");
    if (asked) {
      asked.hidden = asked.disabled = vital;
      this.tick.required = !vital;
    }
    this.offer();
    places.set(this.unit.dataset.unit, { string: this.string?.dataset.string, nugget: this.nugget?.dataset.entry });
  }

  decorate(row) {
    const button = (act, text, key) => make("button", { type: "button", className: "small", textContent: text, title: `${text} (${key})` });
    const head = make("p", { className: "nugget-head" });
    const label = make("button", { type: "button", className: "badge" });
    label.dataset.label = "";
    const share = make("span", { className: "soft" });
    share.dataset.share = "";
    const [merge, split] = [button("merge", "Merge", "m"), button("split", "Split", "x")];
    merge.dataset.act = "merge";
    split.dataset.act = "split";
    head.append(label, " ", share, " ", merge, " ", split);
    row.querySelector("form").prepend(head);
    return head;
  }

  // The buttons at the string, for whoever uses a mouse.
  offer() {
    if (!this.string) return;
    const button = (act, text, on = false) => {
      const one = make("button", { type: "button", className: "small", textContent: text });
      one.dataset.act = act;
      if (on) one.setAttribute("aria-pressed", "true");
      return one;
    };
    const mine = this.string.dataset.string;
    const attached = this.list.rows().map((row) => button(`label ${this.label(row)}`, this.label(row), this.sources(row).includes(mine)));
    this.bar.replaceChildren(button("new", "New nugget"), ...(attached.length ? [" belongs to "] : []), ...attached);
    for (const one of attached) one.setAttribute("aria-label", `Nugget ${one.textContent}`);
    this.string.append(this.bar);
  }

  // What is being written may be there already, in other words.
  hint(field) {
    const row = field.closest("[data-entry]"), mine = stems(field.value);
    const found = this.list.rows().filter((one) => one !== row)
      .map((one) => [similarity(mine, stems(this.text(one))), one]).filter(([much]) => much >= ALIKE).sort((a, b) => b[0] - a[0]);
    this.similar.textContent = found.length ? `Similar to nugget ${found.slice(0, 3).map(([, one]) => this.label(one)).join(", ")}: ${this.text(found[0][1])}` : "";
    field.after(this.similar);
  }

  // At the nugget that it is about, so that it is seen wherever the page is scrolled to.
  note(row, text) {
    this.similar.textContent = text;
    row.querySelector("form").append(this.similar);
    return true;
  }

  // For whoever listens; `seen` for everybody.
  tell(text, seen = false) {
    const box = this.unit.querySelector("[data-tell]");
    box.textContent = text;
    box.classList.toggle("unseen", !seen);
  }

  // ---- moving

  to(string) {
    if (!string) return true;
    this.string = string;
    this.refresh();
    string.scrollIntoView({ block: "nearest" });
    const at = this.strings.indexOf(string) + 1, of = [...string.querySelectorAll(".chip")].map((one) => one.textContent);
    this.tell(`String ${at} of ${this.strings.length}${of.length ? `, in nugget ${of.join(", ")}` : ""}: ${string.querySelector(".saying").textContent}`);
    return true;
  }

  turn(row, scroll = true) {
    if (!row) return true;
    this.nugget = row;
    this.refresh();
    if (scroll) row.scrollIntoView({ block: "nearest" });
    if (scroll) this.tell(`Nugget ${this.label(row)}, ${this.list.value(row, "importance")}: ${this.text(row)}`);
    return true;
  }

  step(all, at, by) { return all[Math.max(0, Math.min(all.length - 1, all.indexOf(at) + by))]; }

  unused() {
    const at = this.strings.indexOf(this.string), turned = [...this.strings.slice(at + 1), ...this.strings.slice(0, at + 1)];
    return turned.find((one) => !one.classList.contains("used"));
  }

  // ---- writing

  begin() {
    if (!this.string) return true;
    const picked = getSelection(), inside = this.string.querySelector(".saying").contains(picked.anchorNode);
    const text = (inside && picked.toString().trim()) || this.string.querySelector(".saying").textContent;
    const marks = [...new Set([this.string, ...this.chosen])].map((one) => one.dataset.string);
    this.list.set(this.fresh, { text: text.slice(0, 1000), sources: marks.join(" ") });
    const field = this.fresh.elements["answer.text"];
    field.focus();
    this.hint(field);
    return true;
  }

  add(importance) {
    this.list.set(this.fresh, { importance });
    const name = this.list.fresh.dataset.entry;
    this.chosen.clear();
    this.list.store(this.fresh, true);
    this.settle(this.list.row(name));
  }

  settle(row) {
    this.similar.remove();
    this.desk.heading().focus({ preventScroll: true });
    this.turn(row);
  }

  mark(importance) {
    if (this.draft) this.add(importance);
    else if (this.nugget) {
      this.list.change(this.nugget, { importance });
      this.turn(this.nugget);
    }
    return true;
  }

  attach(row) {
    if (!this.string) return;
    const mine = this.string.dataset.string, marks = this.sources(row), there = marks.includes(mine);
    this.nugget = row;
    this.list.change(row, { sources: (there ? marks.filter((one) => one !== mine) : [...marks, mine]).join(" ") });
    this.refresh();
    this.tell(`${there ? "No longer in" : "In"} nugget ${this.label(row)}: ${this.text(row)}`);
  }

  merge(into) {
    const from = this.merging;
    this.merging = null;
    if (from === into) return this.similar.remove() ?? this.tell("Not merged.");
    const both = [...new Set([...this.sources(into), ...this.sources(from)])].join(" "), text = this.text(into);
    this.desk.together(() => {
      this.list.change(into, { sources: both });
      this.list.remove(from, `merged into ${text}`.slice(0, 200));
    });
    this.settle(into);
    return this.tell(`Merged into nugget ${this.label(into)}.`);
  }

  split() {
    const row = this.nugget, marks = row ? this.sources(row) : [];
    const picked = (this.chosen.size ? [...this.chosen] : [this.string]).filter(Boolean).map((one) => one.dataset.string).filter((mark) => marks.includes(mark));
    if (!row) return true;
    if (!picked.length) return this.note(row, `Choose a string of nugget ${this.label(row)} to split it.`);
    const values = { text: this.text(row), importance: this.list.value(row, "importance"), sources: picked.join(" ") };
    let made;
    this.desk.together(() => {
      made = this.list.add(values);
      this.list.change(row, { sources: marks.filter((one) => !picked.includes(one)).join(" ") });
    });
    this.chosen.clear();
    this.settle(made);
    made.querySelector("textarea").focus();
    return true;
  }

  choose() {
    if (!this.string) return true;
    if (!this.chosen.delete(this.string)) this.chosen.add(this.string);
    this.refresh();
    return true;
  }

  startMerging(row) {
    if (!row) return true;
    this.merging = row;
    this.turn(row);
    return this.note(row, `Merge nugget ${this.label(row)} into which one? Press its key, or the button with it; Esc leaves it.`);
  }

  // A nugget by what stands beside it, which can be a number of two digits.
  named() {
    const words = this.merging ? "Merge into nugget" : "The string belongs to nugget, or no longer does:";
    return askNumber(this.unit.querySelector("[data-tell]"), words, (given) => {
      const row = this.labelled(given.toUpperCase()) ?? this.list.rows()[Number(given) - 1];
      if (!row) this.tell(`There is no nugget ${given}.`, true);
      else if (this.merging) this.merge(row);
      else this.attach(row);
    }, () => this.desk.heading().focus({ preventScroll: true }));
  }

  // ---- keys and the mouse

  press(key, at) {
    const row = this.labelled(key);
    if (row) return (this.merging ? this.merge(row) : this.attach(row)) ?? true;
    switch (key) {
      case "j": case "arrowdown": return at.matches("input") ? false : this.to(this.step(this.strings, this.string, 1));
      case "k": case "arrowup": return at.matches("input") ? false : this.to(this.step(this.strings, this.string, -1));
      case "h": case "arrowleft": return at.matches("input") ? false : this.turn(this.step(this.list.rows(), this.nugget, -1));
      case "l": case "arrowright": return at.matches("input") ? false : this.turn(this.step(this.list.rows(), this.nugget, 1));
      case "0": return this.named();
      case "f": return this.to(this.unused());
      case "i": return toggleDocuments(this.string);
      case " ": return at.matches("a, button, summary, input") ? false : this.choose();
      case "n": return this.begin();
      case "e": return this.nugget?.querySelector("textarea").focus() ?? true;
      case "v": return this.mark("vital");
      case "o": return this.mark("okay");
      case "m": return this.startMerging(this.nugget);
      case "x": return this.split();
      case "d": return this.takeOut();
      case "escape": return this.leave();
      default: return false;
    }
  }

  takeOut() {
    if (!this.nugget) return true;
    const next = this.nugget.nextElementSibling;
    this.list.remove(this.nugget);
    this.settle(next?.hasAttribute("data-new") ? this.list.rows().at(-1) : next);
    return true;
  }

  leave() {
    if (!this.merging && !this.draft) return false;
    if (this.merging) this.tell("Not merged.");
    else this.list.set(this.fresh, { text: "", sources: "" });
    this.merging = null;
    this.similar.remove();
    return true;
  }

  // Enter ends the writing of a nugget; then V or O adds a new one.
  write(key, at) {
    const row = at.closest("[data-entry]");
    if (key !== "enter" || !row || !at.matches("textarea")) return false;
    this.desk.heading().focus({ preventScroll: true });  // what was changed is saved when its field is left
    if (row.hasAttribute("data-new")) this.note(row, [this.similar.textContent, "Press v if it is vital, o if it is okay."].filter(Boolean).join(" · "));
    else this.settle(row);
    return true;
  }

  pointed(event) {
    const button = event.target.closest("button"), act = button?.dataset.act, row = button?.closest("[data-entry]");
    if (button?.hasAttribute("data-label")) return this.merging ? this.merge(row) : this.attach(row);
    if (act === "merge") return this.startMerging(row);
    if (act === "split") {
      this.nugget = row;
      return this.split();
    }
    if (act === "new") return this.begin();
    if (act?.startsWith("label ")) return this.attach(this.labelled(act.slice(6)));
    return undefined;
  }
}
