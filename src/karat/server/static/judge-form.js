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
