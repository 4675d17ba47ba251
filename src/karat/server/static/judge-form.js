// The form of a unit: what it holds, what it asks, and what it says.

// What was answered before, in the fields of a form.
export function fill(form, fields) {
  for (const [key, value] of fields) {
    for (const field of [...form.elements].filter((one) => one.name === key && one.type !== "hidden")) {
      if (["radio", "checkbox"].includes(field.type)) field.checked = field.value === value;
      else {
        field.value = value;
        if (value && field.closest("details")) field.closest("details").open = true;
      }
    }
  }
}

// The second score is asked for only if the first is high enough.
export function adapt(form) {
  const asked = form.querySelector("[data-asked-if]");
  if (!asked) return;
  const on = form.querySelector("[data-opens]:checked") !== null;
  asked.hidden = asked.disabled = !on;
  for (const one of asked.querySelectorAll("input")) {
    one.required = on;
    if (!on) one.checked = false;
  }
}

// What a form says.
export function contents(form) {
  return [...new FormData(form)].filter(([key]) => !["csrfmiddlewaretoken", "id", "do"].includes(key));
}

// A label that nobody gave needs a note, which the server would ask for when the unit is gone from the screen.
export function unspoken(form, given, complain) {
  const note = form.elements["answer.note"];
  if (!note || !given || note.value.trim() || given.split(" ").includes(form.elements["answer.label"].value)) return false;
  complain("Nobody said so: say why in a note.");
  note.focus();
  return true;
}

export const groups = (form) => [...form.querySelectorAll("fieldset")].filter((one) => !one.disabled);

// To the next question that is not answered, or to the button that saves.
export function onward(form, from) {
  const after = groups(form).slice(groups(form).indexOf(from) + 1).find((one) => !one.querySelector(":checked"));
  (after?.querySelector("input") ?? form.querySelector("[value=save]")).focus();
}
