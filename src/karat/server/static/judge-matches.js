// Many small decisions about one response: nuggets that it says, or citations; one key each, with evidence.

import { askNumber } from "./judge-number.js";

const REST = { matches: "not_support", citations: "none" };  // of these, no evidence is expected
const places = new Map();

export class Matches {
  // `desk` has: form, changed(), heading().
  constructor(unit, desk) {
    Object.assign(this, { unit, desk, form: desk.form });
    this.groups = [...this.form.querySelectorAll("fieldset")];
    this.strings = [...unit.querySelectorAll("[data-number]")];
    const first = this.groups.findIndex((one) => !one.querySelector(":checked"));
    this.at = places.get(unit.dataset.unit) ?? Math.max(first, 0);
    for (const [place, group] of this.groups.entries()) {
      group.addEventListener("focusin", () => { if (this.at !== place) this.to(place, false); });
      if (this.evidence(group)) {
        const shown = document.createElement("span");
        shown.className = "evidence";
        group.append(shown);
      }
    }
    this.strings.forEach((one) => one.addEventListener("click", (event) => {
      if (!event.target.closest("a, summary, details") && getSelection().isCollapsed) this.cite(one.dataset.number);
    }));
    this.refresh();
  }

  get group() { return this.groups[this.at]; }
  evidence(group) {
    const name = group.querySelector("input").name.replace("answer.", "answer.evidence.");
    return this.form.elements[name] ?? null;
  }

  refresh() {
    places.set(this.unit.dataset.unit, this.at);
    this.groups.forEach((one, place) => {
      one.classList.toggle("current", place === this.at);
      const field = this.evidence(one), shown = one.querySelector(".evidence");
      if (!shown) return;
      const [, number, quote] = /^(\d+)(?:: ([^]*))?$/.exec(field.value) ?? [];
      shown.textContent = number ? (quote ? `“${quote}” in ${number}` : `string ${number}`) : "";
    });
    this.highlight();
    const left = this.groups.filter((one) => !one.querySelector(":checked")).length;
    const save = this.form.querySelector("[value=save]");
    save.dataset.left = left ? String(left) : "";
    let note = this.form.querySelector("[data-left-words]");
    if (!note) {
      note = document.createElement("span");
      note.dataset.leftWords = "";
      note.className = "soft";
      save.after(" ", note);
    }
    note.textContent = left ? `${left} not answered yet` : "";
  }

  // What the evidence of the nugget at hand is; of a citation, its sentence.
  highlight() {
    const field = this.group && this.evidence(this.group), name = this.group?.querySelector("input")?.name ?? "";
    const cited = field ? null : /^answer\.(\d+)\.(\d+)$/.exec(name);
    const [, number, quote] = /^(\d+)(?:: ([^]*))?$/.exec(field?.value ?? cited?.[1] ?? "") ?? [];
    for (const one of this.strings) {
      const said = one.querySelector(".saying"), text = said.textContent, here = one.dataset.number === number;
      one.classList.toggle("current", here);
      const from = here && quote ? text.indexOf(quote) : -1;
      if (from < 0) {
        if (said.firstElementChild) said.textContent = text;
        continue;
      }
      const mark = document.createElement("mark");
      mark.textContent = quote;
      said.replaceChildren(text.slice(0, from), mark, text.slice(from + quote.length));
    }
    for (const one of this.unit.querySelectorAll("[data-document]")) one.classList.toggle("current", cited !== null && one.dataset.document === `${cited[1]}.${cited[2]}`);
    if (cited) this.strings.find((one) => one.dataset.number === number)?.scrollIntoView({ block: "nearest" });
  }

  to(place, focus = true) {
    this.at = Math.max(0, Math.min(this.groups.length - 1, place));
    this.refresh();
    const group = this.group;
    if (!group || !focus) return true;
    (group.querySelector(":checked") ?? group.querySelector("input")).focus({ preventScroll: true });
    group.scrollIntoView({ block: "nearest" });
    return true;
  }

  answer(key) {
    const option = this.group?.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!option) return false;
    option.checked = true;
    this.desk.changed();
    return this.complete(this.group) ? this.onward() : this.to(this.at);
  }

  // Whether a nugget needs nothing more: its answer, and where that says that it is there, the evidence.
  complete(group) {
    const said = group.querySelector(":checked")?.value, field = this.evidence(group);
    return Boolean(said) && (!field || field.value !== "" || said === REST[this.unit.dataset.stage]);
  }

  // To the next one that is not answered, or to the button that saves.
  onward() {
    const next = this.groups.findIndex((one, place) => place > this.at && !one.querySelector(":checked"));
    const any = next < 0 ? this.groups.findIndex((one) => !one.querySelector(":checked")) : next;
    if (any >= 0) return this.to(any);
    this.refresh();
    this.form.querySelector("[value=save]").focus();
    return true;
  }

  rest() {
    const value = REST[this.unit.dataset.stage];
    for (const one of this.groups) {
      if (!one.querySelector(":checked")) one.querySelector(`[value="${value}"]`).checked = true;
    }
    this.desk.changed();
    this.refresh();
    this.form.querySelector("[value=save]").focus();
    return true;
  }

  cite(value) {
    const field = this.group && this.evidence(this.group);
    if (!field) return false;
    const before = this.complete(this.group);
    field.value = field.value === value ? "" : value;
    this.desk.changed();
    this.refresh();
    this.unit.querySelector("[data-tell]").textContent = field.value ? `Evidence: ${field.value}` : "No evidence";
    return !before && this.complete(this.group) ? this.onward() : true;
  }

  // A string after the ninth.
  numbered() {
    if (!this.group || !this.evidence(this.group)) return false;
    const tell = this.unit.querySelector("[data-tell]");
    return askNumber(tell, "Evidence: the string with the number", (given) => {
      if (this.strings.some((one) => one.dataset.number === given)) this.cite(given);
      else tell.textContent = `There is no string ${given}.`;
    }, () => this.to(this.at));
  }

  quote() {
    const picked = getSelection(), text = picked.toString().replace(/\s+/g, " ").trim();
    const at = picked.anchorNode?.parentElement?.closest("[data-number]");
    if (!text || !at) return true;
    const whole = at.querySelector(".saying").textContent;
    return this.cite(whole.includes(text) && text !== whole ? `${at.dataset.number}: ${text}` : at.dataset.number);
  }

  // Enter goes on as long as something is not answered, and saves after that.
  enter() {
    const open = this.groups.some((one) => !one.querySelector(":checked"));
    return open && this.group?.querySelector(":checked") ? this.onward() : false;
  }

  press(key, at) {
    if (/^[1-9]$/.test(key)) return this.strings[Number(key) - 1] ? this.cite(key) : true;
    switch (key) {
      case "0": return this.numbered();
      case "enter": return at.matches("a, button, summary") ? false : this.enter();
      case "j": case "arrowdown": return this.to(this.at + 1);
      case "k": case "arrowup": return this.to(this.at - 1);
      case "e": return this.quote();
      case "r": return this.rest();
      default: return this.answer(key);
    }
  }

  changed() { this.refresh(); }
}
