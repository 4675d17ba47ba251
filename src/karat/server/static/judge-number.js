// A number that has more digits than a key: a field for it, which Enter ends and Esc leaves.
export function askNumber(after, words, then, leave) {
  document.getElementById("number-asked")?.remove();
  const box = Object.assign(document.createElement("p"), { id: "number-asked", className: "number-asked" });
  const label = Object.assign(document.createElement("label"), { textContent: `${words} `, htmlFor: "number-field" });
  const field = Object.assign(document.createElement("input"), { id: "number-field", className: "short", inputMode: "numeric", autocomplete: "off" });
  const close = () => { box.remove(); leave(); };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    const given = field.value.trim();
    close();
    if (event.key === "Enter" && given) then(given);
  });
  box.append(label, field);
  after.after(box);
  field.focus();
  return true;
}
