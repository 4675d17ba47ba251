// The documents that a string comes from, opened below it, with the string marked where it stands in them.

// The pieces of a text, those in between being where a string is found as whole words, whatever the case and white space.
function pieces(text, string) {
  const wanted = string.split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
  const [start, end] = [/^[\p{L}\p{N}]/u, /[\p{L}\p{N}]$/u].map((edge) => edge.test(string.trim()));
  const whole = `${start ? "(?<![\\p{L}\\p{N}])" : ""}(${wanted})${end ? "(?![\\p{L}\\p{N}])" : ""}`;
  return wanted ? text.split(new RegExp(whole, "iu")) : [text];
}

// Open or close the document of a button.
export function toggleDocument(button, string) {
  const { read } = button.dataset, open = string.querySelector(`[data-reading="${CSS.escape(read)}"]`);
  button.setAttribute("aria-expanded", String(!open));
  if (open) return open.remove();
  const box = document.createElement("div"), text = document.querySelector(`[data-text="${CSS.escape(read)}"]`).textContent;
  Object.assign(box, { className: "document", tabIndex: 0 });
  box.dataset.reading = read;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", `Document ${read}`);
  box.append(...pieces(text, string.querySelector(".saying").textContent).map((piece, at) => {
    if (at % 2 === 0) return piece;
    const mark = document.createElement("mark");
    mark.textContent = piece;
    return mark;
  }));
  string.querySelector(".facts").after(box);
  const mark = box.querySelector("mark");
  if (mark) box.scrollTop += mark.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  return undefined;
}

// All documents of a string: closed if one is open.
export function toggleDocuments(string) {
  const buttons = [...(string?.querySelectorAll("[data-read]") ?? [])];
  const open = buttons.filter((one) => one.getAttribute("aria-expanded") === "true");
  for (const one of open.length ? open : buttons) toggleDocument(one, string);
  return true;
}
