// The theme adds a <nav> to every block of code and a box to every table: the first get names, the second are scrolled by keys.
new MutationObserver(() => {
  document.querySelectorAll("nav.md-code__nav").forEach((nav, place) => nav.setAttribute("aria-label", `Block ${place + 1}`));
  document.querySelectorAll(".md-typeset__scrollwrap").forEach((box) => box.setAttribute("tabindex", "0"));
}).observe(document.documentElement, { childList: true, subtree: true });
