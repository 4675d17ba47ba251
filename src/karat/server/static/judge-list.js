// Lists that are written entry by entry: each change of an entry is one decision, saved by itself.
import { fill } from "./judge-form.js";
import { uuid } from "./judge-saves.js";

const own = (form, name) => form.elements[name];
const fieldsOf = (form) => [...new FormData(form)].filter(([key]) => !["csrfmiddlewaretoken", "id", "do"].includes(key));
const focusIn = (row) => row.querySelector("select, textarea, input:not([type=hidden])")?.focus();
const hasChanged = (form) => JSON.stringify(fieldsOf(form)) !== form.dataset.saved;

export class EntryList {
  // `save(fields, unit)` sends one decision; `changed()` is told whenever the list is another one; `drafts` keeps what
  // was written for a new entry, as the draft of `unit`, until it is added.
  constructor(box, save, changed, drafts, unit) {
    Object.assign(this, { box, save, changed, drafts, draft: `${unit}/new` });
    for (const form of this.forms()) form.dataset.saved = JSON.stringify(fieldsOf(form));
    fill(this.fresh.querySelector("form"), drafts.get(this.draft) ?? []);
    // Around the list, so that what follows from it has been written by then, such as a hypothesis from its rule.
    box.parentElement.addEventListener("input", () => this.remember());
    box.addEventListener("focusin", (event) => { this.inHand = event.target.closest("[data-entry]"); });
    box.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (event.submitter?.value === "remove") this.remove(event.target.closest("[data-entry]"));
      else this.store(event.target, true);
    });
    // What was changed in an entry is saved when its field is left; a new entry waits until it is added.
    box.addEventListener("change", (event) => {
      const form = event.target.form;
      if (form && !form.closest("[data-new]")) this.store(form, false);
    });
  }

  forms() { return [...this.box.querySelectorAll("form")]; }
  rows() { return [...this.box.querySelectorAll("[data-entry]:not([data-new])")]; }
  get fresh() { return this.box.querySelector("[data-new]"); }
  row(name) { return this.box.querySelector(`[data-entry="${CSS.escape(name)}"]`); }
  value(row, name) { return new FormData(row.querySelector("form")).get(`answer.${name}`) ?? ""; }
  get count() { return this.rows().length; }
  // Whether something was written for a new entry that was not added.
  get pending() { return fieldsOf(this.fresh.querySelector("form")).some(([key, value]) => key.startsWith("answer.") && value.trim()); }

  remember() {
    if (this.pending) this.drafts.set(this.draft, fieldsOf(this.fresh.querySelector("form")));
    else this.drafts.drop(this.draft);
  }

  store(form, told) {
    if (told ? !form.reportValidity() : !form.checkValidity()) return;
    const row = form.closest("[data-entry]"), isNew = row.hasAttribute("data-new");
    if (!isNew && !hasChanged(form)) return;
    const fields = fieldsOf(form), of = own(form, "unit").value;  // the form is the next entry's once this one is kept
    if (isNew) this.keep(row, form);
    this.save([...fields, ["do", "save"]], of);
    if (isNew) this.tally();
    else form.dataset.saved = JSON.stringify(fields);
    this.changed();
  }

  // The new entry takes its place in the list, and the place for a new one is empty again.
  keep(row, form) {
    const made = row.cloneNode(true), copied = made.querySelector("form");
    for (const [at, field] of [...form.elements].entries()) {  // a clone has not what was typed
      const twin = copied.elements[at];
      if (field.type === "radio" || field.type === "checkbox") twin.checked = field.checked;
      else twin.value = field.value;
    }
    made.removeAttribute("data-new");
    made.classList.remove("new");
    for (const one of made.querySelectorAll("[data-new-only]")) one.remove();  // what is said of a new entry alone
    const button = made.querySelector("[value=save]");
    button.replaceChildren("Save");
    button.classList.remove("primary");
    const out = document.createElement("button");
    Object.assign(out, { name: "do", value: "remove", formNoValidate: true, textContent: "Take out" });
    button.after(" ", out);
    row.before(made);
    copied.dataset.saved = JSON.stringify(fieldsOf(copied));
    const name = uuid().replaceAll("-", "").slice(0, 12), before = row.dataset.entry;
    form.reset();
    for (const field of form.elements) if (field.matches("textarea, input:not([type=hidden], [type=radio], [type=checkbox])")) field.value = "";
    row.dataset.entry = name;
    own(form, "unit").value = own(form, "unit").value.replace(before, name);
    for (const one of row.querySelectorAll(`[id^="${before}-"], [for^="${before}-"], [list^="${before}-"], [aria-describedby^="${before}-"]`)) {
      for (const attribute of ["id", "for", "list", "aria-describedby"]) {
        if (one.hasAttribute(attribute)) one.setAttribute(attribute, one.getAttribute(attribute).replace(before, name));
      }
    }
    this.remember();
    focusIn(row);
  }

  // An entry with these answers, as if somebody had filled in the form.
  add(values) {
    const form = this.fresh.querySelector("form");
    this.set(form, values);
    const name = this.fresh.dataset.entry;
    this.store(form, true);
    return this.row(name);
  }

  set(form, values) {
    for (const [name, value] of Object.entries(values)) {
      const field = own(form, `answer.${name}`);
      if (field instanceof RadioNodeList) field.value = value;
      else if (field?.type === "radio" || field?.type === "checkbox") field.checked = field.value === value;
      else if (field) field.value = value;
    }
    this.remember();
  }

  change(row, values) {
    const form = row.querySelector("form");
    this.set(form, values);
    this.store(form, true);
  }

  remove(row, why = "") {
    const form = row.querySelector("form");
    const kept = fieldsOf(form).filter(([key]) => ["unit", "guidelines", "account"].includes(key));
    this.save([...kept, ...(why ? [["do", "skip"], ["skipped", why]] : [["do", "remove"]])], own(form, "unit").value);
    const next = row.nextElementSibling;
    row.remove();
    if (next) focusIn(next);
    this.tally();
    this.changed();
  }

  // A new entry by its key; in an entry, an answer by its own, also once its fields are left, and Enter to save it.
  act(key, at) {
    if (key === "a") return focusIn(this.fresh) ?? true;
    const row = at.closest("[data-entry]");
    if (row && key === "enter" && at.matches("input")) return this.store(at.form, true) ?? true;
    const inHand = this.inHand?.isConnected ? this.inHand : null;
    const answer = (row ?? inHand)?.querySelector(`input[data-key="${CSS.escape(key)}"]`);
    if (!answer) return false;
    answer.checked = true;
    answer.focus();
    for (const kind of ["input", "change"]) answer.dispatchEvent(new Event(kind, { bubbles: true }));
    return true;
  }

  tally() {
    const count = this.box.querySelector("[data-entry-count]");
    if (count) count.textContent = String(this.count);
    for (const [at, row] of this.rows().entries()) row.querySelector("form").setAttribute("aria-label", `Entry ${at + 1}`);
  }
}
