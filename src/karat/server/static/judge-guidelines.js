// The guidelines beside the unit: opened and closed, and exchanged when there is a newer version.

export function toggleGuidelines(heading) {
  const guide = document.getElementById("guidelines");
  guide.open = !guide.open;
  ((guide.open && guide.querySelector("[tabindex]")) || heading).focus();
  return true;
}

// The newest guidelines in the place of those on the page; their version, or null if they cannot be had.
export async function newGuidelines() {
  let text;
  try { text = await (await fetch(location.pathname)).text(); } catch { return null; }
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const version = fresh.getElementById("judging")?.dataset.guidelines, guide = fresh.getElementById("guidelines");
  if (!guide) return null;
  document.getElementById("judging").dataset.guidelines = version;
  document.getElementById("guidelines").replaceWith(guide);
  guide.open = true;
  const box = document.createElement("p");
  box.className = "trouble caution";
  box.setAttribute("role", "status");
  box.textContent = `The guidelines have just changed: this is version ${version}.`;
  document.getElementById("guidelines-changed").replaceChildren(box);
  return version;
}
