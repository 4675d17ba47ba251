// Decomposition: the left side of a rule is marked in the text, and the hypothesis is composed while one writes.

const plain = (text) => text.replace(/\s+/gu, " ").trim();
const JOINED = /^[\p{L}\p{N}]{2}$/u;
const ARROWS = [["<=/=>", "⇎"], ["=/=>", "⇏"], ["=>", "⇒"]];  // what can be typed for the signs of a pattern
const arrows = (text) => ARROWS.reduce((made, [typed, sign]) => made.replaceAll(typed, sign), text);
const SUBSTITUTION = "Composed by the rule.", REWRITE = "Written by hand: a rewrite.";

// Where a part stands in a text, as whole words if it does anywhere.
export function places(text, part) {
  const found = [];
  for (let at = part ? text.indexOf(part) : -1; at >= 0 && found.length < 100; at = text.indexOf(part, at + 1)) found.push(at);
  const whole = (at) => [at, at + part.length].every((edge) => edge === 0 || !JOINED.test(text.slice(edge - 1, edge + 1)));
  return found.some(whole) ? found.filter(whole) : found;
}

export function replaced(text, at, left, right) {
  const before = text.slice(0, at), after = text.slice(at + left.length);
  if (right.trim()) return before + right + after;
  if (!before.trim()) return after.trimStart();
  if (/^\s/.test(after)) return `${before.trimEnd()} ${after.trimStart()}`.trimEnd();
  return (/^$|^[,.;:!?]/.test(after) ? before.trimEnd() : before) + after;
}

export class Parts {
  constructor(unit, { list, complain }) {
    Object.assign(this, { list, say: complain, box: unit.querySelector("[data-whole]"), form: null });
    this.text = plain(this.box.textContent);
    this.box.textContent = this.text;
    for (const [name, value] of Object.entries({
      tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-multiline": "true", "aria-labelledby": "whole-heading",
      "aria-keyshortcuts": "t",
    })) this.box.setAttribute(name, value);
    list.box.addEventListener("input", (event) => { if (event.target.form) this.written(event.target); });
    list.box.addEventListener("focusin", (event) => { if (event.target.form) this.turnTo(event.target.form); });
    this.refresh();
  }

  field(form, name) { return form.elements[`answer.${name}`]; }
  of(form, name) { return plain(this.field(form, name).value); }

  // What the rule of a form makes of the text, everywhere it can be applied; the place that was marked comes first.
  composed(form) {
    const left = this.of(form, "lhs"), right = this.of(form, "rhs"), at = Number(form.dataset.at ?? -1);
    const found = places(this.text, left);
    return [...found.filter((one) => one === at), ...found.filter((one) => one !== at)].map((one) => replaced(this.text, one, left, right));
  }

  refresh() {
    for (const form of this.list.forms()) {
      if (!this.of(form, "lhs")) delete form.dataset.at;
      const written = this.of(form, "hypothesis"), made = this.composed(form);
      form.dataset.composed = made.find((one) => plain(one) === written) ?? "";
      this.tell(form);
    }
    if (this.form?.isConnected) this.highlight();
  }

  // The hypothesis follows the rule until somebody has changed it.
  written(field) {
    const { form } = field, hypothesis = this.field(form, "hypothesis");
    if (field.name === "answer.pattern" && arrows(field.value) !== field.value) {
      const at = arrows(field.value.slice(0, field.selectionStart)).length;
      field.value = arrows(field.value);
      field.setSelectionRange(at, at);
    }
    if (["answer.lhs", "answer.rhs"].includes(field.name)) {
      const untouched = [form.dataset.composed ?? "", ""].includes(plain(hypothesis.value));
      const [made] = this.composed(form);
      if (untouched && made !== undefined) {
        hypothesis.value = made;
        form.dataset.composed = plain(made);
      } else if (untouched && !this.of(form, "lhs")) hypothesis.value = form.dataset.composed = "";
    }
    this.tell(form);
    this.highlight();
  }

  // Whether the hypothesis is what the rule makes, and whether the left side is in the text at all.
  tell(form) {
    const hypothesis = this.field(form, "hypothesis"), left = this.of(form, "lhs"), right = this.field(form, "lhs");
    const exact = this.composed(form).some((one) => plain(one) === plain(hypothesis.value));
    this.note(hypothesis, "composedHow", hypothesis.value.trim() ? (exact ? SUBSTITUTION : REWRITE) : "");
    const pattern = this.of(form, "pattern"), label = new FormData(form).get("answer.label");
    const odd = (pattern.includes("⇒") && label === "CONTRADICTION") || (pattern.includes("⇎") && label === "ENTAILMENT");
    this.note(this.field(form, "pattern"), "ruleAndLabel", odd ? "The rule and the label do not agree: ⇒ entails, ⇎ contradicts." : "");
    right.setCustomValidity(left && !this.text.includes(left) ? "This is not in the text: copy it exactly." : "");
  }

  // What is said below a field, whenever it changes.
  note(field, name, text) {
    let told = [...field.parentElement.children].find((one) => name in one.dataset);
    if (!told) {
      told = Object.assign(document.createElement("p"), { className: "soft" });
      told.dataset[name] = "";
      told.setAttribute("role", "status");
      field.after(told);
    }
    if (told.textContent !== text) told.textContent = text;
  }

  turnTo(form) {
    this.form = form;
    this.highlight();
  }

  // The left side of the part in hand is marked in the text, where browsers can do that without changing the page.
  highlight() {
    if (!globalThis.Highlight || !CSS.highlights) return;
    CSS.highlights.delete("left-side");
    const form = this.form ?? this.list.fresh.querySelector("form"), left = this.of(form, "lhs");
    const found = places(this.text, left), marked = Number(form.dataset.at ?? -1);
    const at = found.includes(marked) ? marked : found[0];
    if (at === undefined) return;
    const range = document.createRange();
    range.setStart(this.box.firstChild, at);
    range.setEnd(this.box.firstChild, at + left.length);
    CSS.highlights.set("left-side", new Highlight(range));
  }

  press(key, at) {
    if (key === "t") return this.box.focus() ?? true;
    if (key === "l") return this.mark();
    if (at !== this.box || !/^arrow(left|right)$/i.test(key)) return false;
    const selection = getSelection(), forward = /right$/i.test(key);
    if (!this.box.contains(selection.anchorNode)) selection.collapse(this.box.firstChild, 0);
    else if (key === key.toLowerCase()) forward ? selection.collapseToEnd() : selection.collapseToStart();
    if (key === key.toLowerCase() && !forward) selection.modify("move", "backward", "word");
    selection.modify("extend", forward || key === key.toLowerCase() ? "forward" : "backward", "word");
    return true;
  }

  // What is selected in the text becomes the left side of the part in hand, or of a new one.
  mark() {
    const selection = getSelection(), { firstChild } = this.box;
    if (selection.isCollapsed || !this.box.contains(selection.anchorNode) || !this.box.contains(selection.focusNode)) {
      this.say("First select words in the text: with the mouse, or t and then the arrow keys with Shift.");
      return true;
    }
    const range = selection.getRangeAt(0);
    const start = range.startContainer === firstChild ? range.startOffset : 0;
    const chosen = range.toString(), form = this.form?.isConnected ? this.form : this.list.fresh.querySelector("form");
    this.say("");
    form.dataset.at = String(start + chosen.length - chosen.trimStart().length);
    const field = this.field(form, "lhs");
    field.value = chosen.trim();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    if (!form.closest("[data-new]")) field.dispatchEvent(new Event("change", { bubbles: true }));
    this.field(form, "rhs").focus();
    return true;
  }
}
