// The error explorer: all pairs, hardest first, filtered and sorted in the browser (see explored.js). Only the rows in
// sight are in the document. Every text is put there as text, never as HTML: texts come from strangers.
(() => {
  const source = document.getElementById("explorer-data");
  if (!source) return;

  const data = JSON.parse(source.textContent), pairs = exploredPairs(data);
  const { runs, key, answers, facets, nameOf, NO_LABEL } = pairs;
  const justifications = new Map(Object.entries(data.justifications));
  const target = document.getElementById("explorer"), section = target.closest("section") || target;
  const switches = [...document.querySelectorAll("input[name=way]")];
  const WAYS = { 2: "two-way", 3: "three-way" };
  const BEYOND = 5; // rows drawn beyond what is in sight
  const MOST_BARS = 12; // of one attribute

  function element(name, properties, ...children) {
    const made = document.createElement(name);
    for (const [property, value] of Object.entries(properties)) {
      if (property in made) made[property] = value;
      else made.setAttribute(property, value);
    }
    made.append(...children);
    return made;
  }

  const number = new Intl.NumberFormat("en").format;
  const classOf = (code) => `label-${nameOf(code).replaceAll(" ", "-")}`;
  const score = () => pairs.score(switches.find((one) => one.checked)?.id.replace("way-", ""));

  // ---- Filters, each option with the number of pairs that it would leave

  const choice = (name, options) => element("select", { name }, ...options.map(([value, text]) => element("option", { value }, text)));
  const selects = new Map(facets.map((one) => [one.name, choice(one.name, [["", "any"], ...one.options])]));
  const search = element("input", { type: "search", name: "q", autocomplete: "off" });
  const sort = choice("sort", [["", "hardest first"], ["disagreement", "most disagreement first"],
    ["confidence", "most confident first"], ["file", "order of the file"]]);
  const controls = [search, ...selects.values(), sort];
  const field = (title, control) => element("label", {}, title, control);
  const status = element("p", { role: "status" });
  const clear = element("button", { type: "button", hidden: true }, "Clear filters");
  const otherWay = element("button", { type: "button" });
  const other = () => switches.length === 2 && data.scorings.length === 2 && switches.find((one) => !one.checked);

  // Where the pairs are that pass the filters: the share of every group, by label and by attribute.
  const groups = facets.filter((one) => ["said", "key", "assessors"].includes(one.name) || one.name.startsWith("by."));
  const bars = new Map(groups.map((one) => [one, one.options.map(([value, text]) => {
    const button = element("button", { type: "button" }, element("bdi", {}, text), element("i", {}, element("b", {})), element("span", {}),
      element("span", {}));
    button.addEventListener("click", () => {
      const select = selects.get(one.name);
      select.value = select.value === value ? "" : value;
      changed();
    });
    return button;
  })]));
  const shares = element("div", { className: "shares" }, ...groups.map((one) =>
    element("div", { role: "group", "aria-label": one.title }, element("h3", {}, one.title), ...bars.get(one))));
  const profile = element("details", { open: innerWidth > 800 }, element("summary", {}), shares);

  function label() {
    const { chosen, scored } = pairs, filtered = controls.some((one) => one.value && one !== sort);
    for (const one of facets) {
      const options = selects.get(one.name).options;
      one.options.forEach(([value, text], option) => {
        const named = value === "one-wrong" && chosen >= 0 ? `only ${runs[chosen]} wrong` : text;
        const told = `${named} (${number(one.counts[option])})`;
        if (options[option + 1].text !== told) options[option + 1].text = told;
      });
    }
    const shareOf = (one, option) => (one.totals[option] ? one.counts[option] / one.totals[option] : 0);
    const largest = Math.max(...groups.flatMap((one) => one.options.map((_, option) => shareOf(one, option)))) || 1;
    for (const one of groups) {
      const fewest = one.options.length > MOST_BARS ? [...one.counts].sort((a, b) => b - a)[MOST_BARS - 1] || 1 : 0;
      bars.get(one).forEach((button, option) => {
        const count = one.counts[option], total = one.totals[option], share = shareOf(one, option);
        button.hidden = count < fewest || !total;
        button.setAttribute("aria-pressed", selects.get(one.name).value === one.options[option][0]);
        button.children[1].firstChild.style.width = `${(100 * share) / largest}%`;
        button.children[2].textContent = `${(100 * share).toFixed(0)}%`;
        button.children[3].textContent = `${number(count)}/${number(total)}`;
      });
    }
    selects.get("said").parentNode.hidden = chosen < 0;
    bars.get(facets[1])[0].parentNode.hidden = chosen < 0;
    sort.options[2].disabled = !pairs.stated();
    if (sort.value === "confidence" && !pairs.stated()) sort.value = "";
    profile.hidden = !filtered || !found.length;
    profile.firstChild.textContent = found.length === 1 ? "Where this pair is" : `Where these ${number(found.length)} pairs are`;
    status.textContent = `${number(found.length)} of ${number(pairs.size)} pairs, scored ${WAYS[scored.way] || scored.way}` +
      `${found.length ? "" : ": no pair matches these filters"}`;
    clear.hidden = !filtered;
    otherWay.hidden = !other();
    if (other()) otherWay.textContent = `Score ${WAYS[other().id.replace("way-", "")]}`;
  }

  // ---- Rows

  const list = element("div", { role: "list", "aria-label": "Pairs" });
  const box = element("div", { className: "window" }, list);
  let found = [], drawn = new Map(), active = 0, opened = -1, openAt = -1, rowHeight = 64, extra = 0;

  const hidden = (text) => element("span", { className: "hidden" }, text);
  const chip = (code, ...more) => element("span", { className: `chip ${classOf(code)}` }, nameOf(code), ...more);
  const text = (name, ...content) => element(name, { dir: "auto" }, ...content);
  const bold = (parts) => parts.map(([part, isNew]) => (isNew ? element("strong", {}, part) : part));

  function confidenceOf(run, place) {
    const { values, decimals, entailment } = pairs.confidences.get(runs[run]) || { values: [] };
    if (typeof values[place] !== "number") return "";
    return ` ${(values[place] / 10 ** decimals).toFixed(Math.max(0, decimals))}${entailment ? " for entailment" : ""}`;
  }

  // The answers as parts of a bar; those that are right have a line below them.
  function bar(place) {
    const { scored } = pairs;
    const counts = new Map();
    answers.forEach((codes, run) => {
      if (!scored.among[run]) return;
      const [count] = counts.get(codes[place]) || [0];
      counts.set(codes[place], [count + 1, scored.verdicts[run][place] === RIGHT]);
    });
    const parts = [...counts].sort(([a], [b]) => a - b);
    const told = parts.map(([code, [count]]) => `${count} ${nameOf(code)}`).join(", ");
    return [
      hidden(`Answers: ${told}`),
      element("span", { className: "bar", title: told, "aria-hidden": "true" }, ...parts.map(([code, [count, right]]) => {
        const part = element("span", { className: `${classOf(code)}${right ? " right" : ""}` }, String(count));
        part.style.flexGrow = count;
        return part;
      })),
    ];
  }

  function rowOf(place, position) {
    const { scored, chosen } = pairs;
    const button = element("button", { type: "button", "aria-expanded": "false", tabIndex: -1 },
      element("bdi", { className: "id", title: data.ids[place] }, data.ids[place]),
      element("span", { className: "texts" }, ...(data.texts.length ? [
        element("span", {}, element("b", {}, "T "), text("span", shortenedText(data.texts[place]))),
        element("span", {}, element("b", {}, "H "), text("span", ...bold(shortenedParts(newWords(data.hypotheses[place], data.texts[place]))))),
      ] : [])),
      element("span", { className: "said" }, element("span", {}, "key ", chip(key[place])),
        ...(chosen < 0 ? [] : [element("span", {}, hidden(`${runs[chosen]} `), "said ", chip(answers[chosen][place], confidenceOf(chosen, place)))])),
      element("span", { className: "share" },
        pairs.isScored(place) ? `${scored.right[place]} of ${scored.total} right` : "no key", ...bar(place)),
    );
    button.addEventListener("click", () => { activate(position); toggle(position); });
    const row = element("div", { role: "listitem" }, button);
    row.setAttribute("aria-posinset", position + 1);
    row.setAttribute("aria-setsize", found.length);
    return row;
  }

  // The answers in groups of the same label, those that are right first.
  function grouped(place, names, codesAt, verdictAt, more) {
    const groups = new Map();
    names.forEach((name, number) => {
      const code = codesAt(number);
      if (code === NO_LABEL) return;
      if (!groups.has(code)) groups.set(code, { code, verdict: verdictAt(number), members: [] });
      groups.get(code).members.push(number);
    });
    const sorted = [...groups.values()].sort((a, b) => (b.verdict === RIGHT) - (a.verdict === RIGHT) || a.code - b.code);
    return sorted.map(({ code, verdict, members }) => element("div", { className: `group ${classOf(code)}` },
      element("p", {}, chip(code), ` ${{ [RIGHT]: "✓ right", [WRONG]: "✗ wrong" }[verdict] || ""} · ${number(members.length)}`),
      element("ul", {}, ...members.map((number) => [number, more(number)]).sort(([, a], [, b]) => !!a.why - !!b.why)
        .map(([number, { confidence, why, own }]) => element("li", { className: `${why ? "why" : ""}${own ? " own" : ""}` },
          element("strong", {}, element("bdi", {}, names[number])), confidence, ...(why ? [text("q", why)] : [])))),
    ));
  }

  function detailOf(place) {
    const { scored, chosen } = pairs;
    const facts = Object.entries(data.attributes).map(([name, { values, places }]) =>
      `${name}: ${places[place].map((value) => values[value]).join(", ")}`);
    const people = Object.keys(data.assessors);
    const letters = (who) => pairs.codeOf(data.assessors[people[who]][place]);
    const parts = [
      ...(data.texts.length ? [["T", data.texts[place]], ["H", ...bold(newWords(data.hypotheses[place], data.texts[place]))]] : [])
        .map(([side, ...whole]) => element("div", { className: "whole" }, element("b", {}, side), text("p", ...whole))),
      element("p", { className: "note" }, "key ", chip(key[place]), ...facts.map((fact) => ` · ${fact}`), " · ",
        element("a", { href: `#pair-${encodeURIComponent(data.ids[place])}` }, "link to this pair")),
      element("h3", {}, "Answers"),
      ...grouped(place, runs, (run) => answers[run][place], (run) => scored.verdicts[run][place], (run) => ({
        confidence: confidenceOf(run, place), why: justifications.get(runs[run])?.[place], own: run === chosen })),
    ];
    if (people.some((_, who) => letters(who) !== NO_LABEL)) {
      parts.push(element("h3", {}, "Assessors"), ...grouped(place, people, letters, () => NOT_SCORED, () => ({ confidence: "" })));
    }
    return element("div", { className: "detail" }, ...parts);
  }

  // ---- The window: rows have one height, and at most one of them is open.

  const topOf = (position) => position * rowHeight + (openAt >= 0 && position > openAt ? extra : 0);
  const positionAt = (y) => {
    if (openAt < 0 || y < topOf(openAt) + rowHeight) return Math.floor(y / rowHeight);
    return Math.max(openAt, Math.floor((y - extra) / rowHeight));
  };

  function draw() {
    const first = Math.max(0, positionAt(box.scrollTop) - BEYOND);
    const last = Math.min(found.length - 1, positionAt(box.scrollTop + box.clientHeight) + BEYOND);
    const wanted = new Set();
    if (active < first && found.length) wanted.add(active); // what has the focus stays in the document
    for (let position = first; position <= last; position++) wanted.add(position);
    if (active > last && active < found.length) wanted.add(active);
    for (const [position, row] of drawn) {
      if (!wanted.has(position)) { row.remove(); drawn.delete(position); }
    }
    let next = list.firstChild;
    for (const position of wanted) {
      let row = drawn.get(position);
      if (!row) {
        row = rowOf(found[position], position);
        list.insertBefore(row, next);
        drawn.set(position, row);
      }
      next = row.nextSibling;
      dress(row, position);
    }
    place();
  }

  function dress(row, position) {
    const button = row.firstChild, open = position === openAt;
    button.tabIndex = position === active ? 0 : -1;
    button.setAttribute("aria-expanded", open);
    if (open && row.childElementCount === 1) {
      row.append(detailOf(found[position]));
      resized.observe(row.lastChild);
    } else if (!open && row.childElementCount > 1) row.lastChild.remove();
  }

  function place() {
    for (const [position, row] of drawn) row.style.top = `${topOf(position)}px`;
    list.style.height = `${topOf(found.length)}px`;
  }

  // Heights are the browser's: they change with the width of the page and the size of its letters.
  function measure() {
    const row = drawn.values().next().value;
    const height = row?.firstChild.offsetHeight || rowHeight;
    const open = drawn.get(openAt)?.lastChild.offsetHeight ?? extra;
    if (height === rowHeight && open === extra) return;
    [rowHeight, extra] = [height, openAt < 0 ? 0 : open];
    draw();
  }
  const resized = new ResizeObserver(measure);

  function reveal(position) {
    const top = topOf(position), bottom = top + rowHeight + (position === openAt ? extra : 0);
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = Math.min(top, bottom - box.clientHeight);
    draw();
  }

  function toggle(position, open = position !== openAt) {
    const before = topOf(position) - box.scrollTop;
    [opened, openAt, extra] = open ? [found[position], position, 0] : [-1, -1, 0];
    draw();
    measure();
    box.scrollTop = topOf(position) - before; // what was clicked on stays where it was
    reveal(position);
    remember();
  }

  function activate(position) {
    active = position;
    reveal(position);
    drawn.get(position)?.firstChild.focus({ preventScroll: true });
  }

  function move(position) {
    const next = Math.max(0, Math.min(found.length - 1, position));
    if (next < 0 || next === active) return;
    const reading = openAt === active;
    activate(next);
    if (reading) toggle(next, true); // whoever reads one pair goes on reading
  }

  function refresh() {
    found = pairs.filter(Object.fromEntries(controls.map((one) => [one.name, one.value])));
    openAt = opened < 0 ? -1 : found.indexOf(opened);
    if (openAt < 0) [opened, extra] = [-1, 0];
    active = Math.max(0, openAt);
    list.replaceChildren();
    drawn.clear();
    box.scrollTop = 0;
    label();
    draw();
    measure();
    if (openAt >= 0) reveal(openAt);
  }

  // ---- The address keeps what is shown, so that it can be shared: #pairs?wrong=careful, #pair-17.

  let waiting;
  function remember() {
    clearTimeout(waiting); // browsers refuse an address that changes with every key
    waiting = setTimeout(() => history.replaceState(null, "", address()), 150);
  }

  function address() {
    const asked = new URLSearchParams(controls.filter((one) => one.value).map((one) => [one.name, one.value]));
    const way = switches.find((one) => one.checked && !one.defaultChecked);
    if (way) asked.set("way", pairs.scored.way);
    if (opened >= 0 && !asked.toString()) return `#pair-${encodeURIComponent(data.ids[opened])}`;
    if (opened >= 0) asked.set("pair", data.ids[opened]);
    return asked.toString() ? `#pairs?${asked}` : "#pairs";
  }

  function follow() {
    const [, kind, rest] = /^#(pairs\?|pair-)(.*)$/.exec(location.hash) || [];
    if (!kind) return;
    const asked = new URLSearchParams(kind === "pair-" ? `pair=${rest.replaceAll("+", "%2B").replaceAll("&", "%26")}` : rest);
    const way = switches.find((one) => one.id === `way-${asked.get("way")}`);
    if (way) way.checked = true;
    for (const one of controls) {
      one.value = asked.get(one.name) ?? "";
      if (one.selectedIndex === -1) one.value = "";
    }
    clearTimeout(waiting);
    opened = data.ids.indexOf(asked.get("pair"));
    score();
    refresh();
    if (openAt < 0) return section.scrollIntoView();
    activate(openAt);
    box.scrollIntoView();
    box.scrollTop = topOf(openAt);
  }

  // ---- What people do

  const STEPS = { ArrowDown: () => active + 1, j: () => active + 1, ArrowUp: () => active - 1, k: () => active - 1,
    PageDown: () => active + Math.floor(box.clientHeight / rowHeight), Home: () => 0,
    PageUp: () => active - Math.floor(box.clientHeight / rowHeight), End: () => found.length - 1 };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && openAt >= 0) { activate(openAt); toggle(openAt, false); }
    else if (event.key in STEPS) move(STEPS[event.key]());
    else return;
    event.preventDefault();
  });
  search.addEventListener("keydown", (event) => {
    if (!found.length || !(["ArrowDown", "Enter"].includes(event.key) || (event.key === "Escape" && !search.value))) return;
    event.preventDefault();
    activate(active);
  });
  // From anywhere on the page j and k lead to the list, and / to the search if it is in sight.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea, [contenteditable], dialog");
    if (event.defaultPrevented || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const { top, bottom } = section.getBoundingClientRect();
    if ((event.key === "j" || event.key === "k") && found.length) {
      activate(active);
      box.scrollIntoView({ block: "nearest" });
    } else if (event.key === "/" && bottom >= 0 && top <= innerHeight) {
      search.focus();
      search.select();
    } else return;
    event.preventDefault();
  });
  function changed() {
    if (!selects.get("wrong").value) selects.get("said").value = ""; // it is the answer of that run
    refresh();
    remember();
  }
  controls.forEach((one) => one.addEventListener("input", changed));
  switches.forEach((one) => one.addEventListener("change", () => {
    score();
    refresh();
    if (/^#pairs?\b/.test(location.hash)) remember();
  }));
  otherWay.addEventListener("click", () => other().click());
  clear.addEventListener("click", () => { controls.forEach((one) => { one.value = ""; }); changed(); search.focus(); });
  box.addEventListener("scroll", draw);
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => { // a link to where the address is already changes no address
    if (event.target.closest("a")?.hash === location.hash) follow();
  });

  const legend = [...new Set([...pairs.given, ...key])].filter((code) => code !== NO_LABEL).sort().map((code) => chip(code));
  box.style.setProperty("--id", `${Math.min(12, data.ids.reduce((most, id) => Math.max(most, id.length), 3))}ch`);
  const keys = (...names) => names.map((name) => element("kbd", {}, name));
  target.append(
    element("div", { className: "filters", role: "search", "aria-label": "Filter the pairs" }, field("Search", search),
      ...facets.map((one) => field(one.title, selects.get(one.name)))),
    element("div", { className: "told" }, status, otherWay, clear, field("Sort ", sort)),
    profile, box,
    element("p", { className: "note" }, "Bars show the runs’ answers, right ones underlined: ", ...legend,
      ...(data.texts.length ? ["Words of H that are not in T are bold."] : [])),
    element("p", { className: "note keys" }, ...keys("↑", "↓"), " or ", ...keys("j", "k"), " move, ", ...keys("Enter"), " opens, ", ...keys("Esc"), " closes, ", ...keys("/"), " searches."),
  );
  score();
  refresh();
  resized.observe(box);
  follow();
})();
