// What keys do on a judging page. What is being typed is no key, but for those that leave or send it.
import { GROUP, between } from "./judge-answers.js";
import { groups, onward } from "./judge-form.js";
import { toggleGuidelines } from "./judge-guidelines.js";
import { complain } from "./judge-page.js";

export const WRITING = "textarea, select, input:not([type=radio], [type=checkbox], [type=hidden])";
const find = (within, attribute, value) => within.querySelector(`[${attribute}="${CSS.escape(value)}"]`);

export class Keys {
  // `on` has what is on the screen, unit(), form(), heading(), list(), tool(); and save(act), agree(), undo(), changed().
  constructor(on) { this.on = on; }

  press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    const { length } = event.key, at = event.target;  // a letter is a capital one by Shift alone, not by Caps Lock
    const key = !event.shiftKey ? event.key.toLowerCase() : length === 1 ? event.key.toUpperCase() : event.key;
    const open = document.querySelector("dialog[open]");
    if (open) {
      if (key === "?") open.close();
      return;
    }
    if (between(at, key)) event.preventDefault();
    else if (at.matches(GROUP) && key.length === 1 && !/\d/.test(key)) {
      event.preventDefault();  // only digits are written here: every other key does what it does elsewhere
      this.act(key, at);
    } else if (at.matches(WRITING)) {
      if (key === "escape") this.on.heading().focus({ preventScroll: true });
      else if (key === "enter" && at.id === "skipped") this.on.save("skip");
      else if (this.on.tool()?.write?.(event.shiftKey ? "" : key, at)) { /* it was for the list */ }
      else return;
      event.preventDefault();
    } else if (this.act(key, at)) event.preventDefault();
  }

  // Whether the key does anything.
  act(key, at) {
    const { unit, form, heading, list, tool, agree, undo } = this.on;
    if (key === "?") return document.getElementById("keys")?.showModal() ?? true;
    if (tool()?.press(key, at) || list()?.act(key, at)) return true;
    if (key === "escape") return heading().focus({ preventScroll: true }) ?? true;
    if (key === "g") return toggleGuidelines(heading());
    if (key === "z") return undo() ?? true;
    const link = unit().querySelector(`a[data-key="${CSS.escape(key)}"]`);
    if (link) return link.click() ?? true;
    if (!form()) return false;
    const field = find(unit(), "data-jump", key);
    if (field) {
      if (field.closest("details")) field.closest("details").open = true;
      return field.focus() ?? true;
    }
    if (key !== "enter") return this.choose(key, at);
    if (at.matches("a, button, summary")) return false;
    return agree() ?? true;
  }

  // An answer by its key: of the question in which one is, or of the first that is not answered.
  choose(key, at) {
    const { unit, form, save, changed } = this.on;
    // A digit is for a question of numbers, whether it has this number or not: none is taken for another question's.
    const having = groups(form()).filter((one) => find(one, "data-key", key) || (/^\d$/.test(key) && one.matches(".numbers")));
    const group = having.find((one) => one.contains(at)) ?? having.find((one) => !one.querySelector(":checked")) ?? having.at(-1);
    if (!group) return false;
    const option = find(group, "data-key", key);
    if (!option) return complain(`${key} cannot be given here.`) ?? true;
    complain("");
    option.checked = option.type === "radio" || !option.checked;
    changed();
    if (unit().hasAttribute("data-single")) save("save");
    else onward(form(), group);
    return true;
  }
}
