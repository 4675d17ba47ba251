// Judging answers: the document at the place of the answer, suggestions that a person confirms, and groups by keys.

// A document is shown from where the answer stands in it.
export function atMark(unit) {
  const mark = unit.querySelector(".document mark"), box = mark?.closest(".document");
  if (box) box.scrollTop += mark.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
}

// The suggested answer is chosen, if none is: whoever presses Enter has seen it above the answers.
export function take(form, always = false) {
  const label = document.querySelector("[data-suggested]")?.dataset.suggested;
  if (!label || (!always && form.querySelector("fieldset :checked"))) return;
  const option = [...form.querySelectorAll("fieldset input")].find((one) => one.value === label);
  if (option) option.checked = true;
}

export const GROUP = "[data-group-number]";

// From one field of a group to the next; by Enter too, but from the last of the answers that all group to the button that
// finishes, and in that of a further answer it saves; from elsewhere on the page, down to the first of these answers.
export function between(at, key) {
  const grouping = at.matches(GROUP);
  if (key !== "arrowdown" && key !== "arrowup" && !(key === "enter" && grouping)) return false;
  if (key === "enter" && at.closest("[data-entry]")) return false;
  const fields = [...document.querySelectorAll(`${GROUP}:not([data-${key === "enter" ? "entry" : "new"}] *)`)];
  const here = fields.indexOf(at), step = key === "arrowup" ? -1 : 1;
  let next = grouping ? fields[here + step] : at.matches("input, textarea, select") || step < 0 ? null : fields[0];
  if (key === "enter") next ??= at.form.querySelector("[value=save]");
  next?.focus();
  next?.select?.();
  return Boolean(next);
}

// A group is a number: whatever else is pasted into its field is left out.
export function digitsOnly(field) {
  if (field.matches(GROUP) && /\D/.test(field.value)) field.value = field.value.replace(/\D/g, "");
}

// What was said about an answer is suggested for the same string from another document: units at hand, which were
// fetched before, are fetched again.
export async function renew(judged, unit, ahead, fetched, get) {
  const same = (html) => {
    const frame = document.createElement("template");
    frame.innerHTML = html ?? "";
    return frame.content.getElementById("judge");
  };
  const string = same(fetched.get(judged))?.dataset.same;
  if (!string) return;
  for (const one of [unit.dataset.unit, ...ahead]) {
    if (one === judged || same(fetched.get(one))?.dataset.same !== string) continue;
    const html = await get(`?unit=${one}&ahead=yes`);
    if (html === null) return;
    fetched.set(one, html);
    if (document.getElementById("judge").dataset.unit === one) replace(same(html));
  }
}

// The suggestion on the screen, with what will be stored as having been shown.
function replace(fresh) {
  const form = document.getElementById("answer"), given = fresh.querySelector("[name=suggested]");
  const box = form && document.querySelector("[data-suggested]"), other = fresh.querySelector("[data-suggested]");
  if (!box || !other || form.querySelector("fieldset :checked")) return;
  box.replaceWith(other);
  form.querySelector("[name=suggested]")?.remove();
  if (given) form.prepend(given);
}
