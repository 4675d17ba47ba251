// What the judging page says when something goes wrong, and how it gets units.
import { PATIENCE } from "./judge-saves.js";

export function complain(text) {
  const box = document.createElement("p");
  box.className = "error";
  box.setAttribute("role", "alert");
  box.textContent = text;
  document.getElementById("trouble").replaceChildren(...(text ? [box] : []));
}

// A unit from the server, without the page around it; null if there is no answer, or another page.
export async function get(query) {
  try {
    const headers = { "X-Karat-Fragment": "yes" };
    const answer = await fetch(location.pathname + query, { headers, signal: AbortSignal.timeout(PATIENCE) });
    const text = await answer.text();
    return answer.ok && text.includes('id="judge"') ? text : null;
  } catch { return null; }
}

// Whether decisions are stored, or how many wait and why; whether any do.
export function tellSaves(saves, outbox, login, done) {
  const count = outbox.queue.length, waits = count > 0 && outbox.cause !== "";
  const waiting = `${count === 1 ? "1 save" : `${count} saves`} waiting: ${outbox.cause}`;
  const text = waits ? waiting : done ?? (count ? "Saving …" : saves.textContent.replace(/^(.* waiting: .*|Saving …)$/, "Saved."));
  if (saves.textContent !== text && saves.dataset.text !== text) saves.textContent = text;
  saves.dataset.text = text;
  saves.classList.toggle("waits", waits);
  if (waits && outbox.loggedOut && !saves.querySelector("a")) {
    const link = document.createElement("a");
    Object.assign(link, { href: login, target: "_blank", textContent: "Log in in a new tab" });
    saves.append(" ", link, ", then come back here.");
  }
  return waits;
}
