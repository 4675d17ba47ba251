// Comfort only: every page works without this file.
"use strict";

// How far the reader's clock is from the server's, by which everything is decided.
const skew = Date.parse(document.body.dataset.now) - Date.now();
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const inWords = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric",
  hour: "2-digit", minute: "2-digit", second: "2-digit" });

for (const place of document.querySelectorAll("[data-yours]")) {
  const time = place.querySelector("time");
  time.textContent = inWords.format(new Date(time.dateTime)).replace(",", "");
  const name = place.querySelector("[data-zone]");
  if (name) name.textContent = `Your time, ${zone.replaceAll("_", " ")}`;
  place.hidden = false;
}
for (const heading of document.querySelectorAll("th[data-yours-heading]")) heading.hidden = false;
for (const time of document.querySelectorAll("main time:not([data-countdown])"))
  if (!time.closest("[data-yours]")) time.title = `${inWords.format(new Date(time.dateTime))} in ${zone}`;

// On a phone the menu is one line: the page that is shown stands in sight.
const here = document.querySelector("nav.menu a[aria-current]");
if (here) here.closest("nav").scrollLeft = here.offsetLeft - 80;

function remaining(seconds) {
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const parts = [];
  for (const [name, size] of units) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count || parts.length) parts.push(count ? `${count} ${name}${count === 1 ? "" : "s"}` : "");
  }
  return parts.slice(0, 2).join(" ").trim() || "0 seconds";
}

const countdowns = [...document.querySelectorAll("time[data-countdown]")];
function tick() {
  for (const time of countdowns) {
    const left = Math.floor((Date.parse(time.dateTime) - Date.now() - skew) / 1000);
    const said = left > 0 ? `in ${remaining(left)}` : "now";
    if (time.textContent !== said) time.textContent = said;
  }
}
if (countdowns.length) { tick(); setInterval(tick, 1000); }

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
}

// A form for a new campaign begins with the reader's own zone.
const zones = document.querySelector("select[data-own-zone]");
if (zones && [...zones.options].some((one) => one.value === zone)) zones.value = zone;

// Whatever comes instead of a result is said in words; the form keeps what was entered.
function instead(...sentences) {
  const heading = document.createElement("h2");
  heading.tabIndex = -1;
  heading.textContent = "Not sent";
  const text = document.createElement("p");
  text.className = "error";
  text.textContent = sentences.join(" ");
  document.getElementById("result").replaceChildren(heading, text);
  heading.focus();
}
document.addEventListener("htmx:sendError", () => instead("The server did not answer, or the file has changed since you",
  "chose it. Nothing was stored. Choose the file again, and send it."));
document.addEventListener("htmx:beforeSwap", (event) => {
  const answer = event.detail.xhr;
  if (answer.responseText.includes('id="result"')) return;
  event.detail.shouldSwap = false;
  if (answer.responseURL.includes("/login/") || answer.status === 403)
    instead("You are no longer logged in. Log in on another page, then load this one again.");
  else if (answer.status === 413) instead("The file is too large.");
  else instead(`The server could not answer (${answer.status}). Nothing was stored. Try again, and tell the organisers.`);
});
const file = document.querySelector("input[type=file][data-most]");
file?.addEventListener("change", () => {
  const large = file.files.length && file.files[0].size > file.dataset.most * 1048576;
  file.setCustomValidity(large ? `This file is larger than ${file.dataset.most} MiB.` : "");
  file.reportValidity();
});
document.addEventListener("htmx:afterSettle", () => {
  const heading = document.querySelector("#result h2");
  if (heading) heading.focus();
});

// What was judged without a connection is sent by the page where it was judged: whoever comes back elsewhere is told.
function waiting() {
  const mine = `karat judge ${document.body.dataset.account} `, found = new Map();
  for (const key of Object.keys(localStorage)) {
    const page = key.startsWith(mine) && /^(\S+) save /.exec(key.slice(mine.length))?.[1];
    if (page && page !== location.pathname) found.set(page, 1 + (found.get(page) ?? 0));
  }
  return found;
}
try {
  for (const [page, count] of waiting()) {
    const told = Object.assign(document.createElement("p"), { className: "said" });
    told.setAttribute("role", "status");
    const words = count === 1 ? "1 save waits" : `${count} saves wait`;
    const link = Object.assign(document.createElement("a"), { href: page, textContent: "send what was judged" });
    told.append(`${words} in this browser: `, link);
    document.getElementById("main").prepend(told);
  }
} catch { /* nothing is kept here */ }
