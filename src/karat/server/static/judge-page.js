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
