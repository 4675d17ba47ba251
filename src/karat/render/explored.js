// What the error explorer shows, without the document: which answers are right, which pairs pass the filters, in which
// order, and how many pairs every option of every filter would leave.
const SHORT = 300; // characters of a text that a row can show at most
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

function shortenedText(text) {
  return text.length > SHORT ? `${text.slice(0, SHORT).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

// The hypothesis in parts, each with whether it is a word that the text does not contain; in one if it shares no word.
function newWords(hypothesis, text) {
  const known = new Set(text.toLowerCase().match(WORD)), parts = [];
  let end = 0, shared = 0;
  for (const { 0: word, index } of hypothesis.matchAll(WORD)) {
    if (known.has(word.toLowerCase())) shared++;
    else if (!/^\p{L}$/u.test(word)) { // a single letter is the rest of a word: Jim’s
      parts.push([hypothesis.slice(end, index), false], [word, true]);
      end = index + word.length;
    }
  }
  return shared ? [...parts, [hypothesis.slice(end), false]] : [[hypothesis, false]];
}

// For a row, which is to show a new word: a long beginning without one is cut off, and so is a long end.
function shortenedParts(parts) {
  const begin = parts.length > 1 && parts[0][0].length > 60 ? `…${parts[0][0].slice(-30).replace(/^\S+\s+/, "")}` : parts[0][0];
  const short = [];
  let length = 0;
  for (const [part, isNew] of [[begin, false], ...parts.slice(1)]) {
    if (length < SHORT) short.push([shortenedText(part), isNew]);
    length += part.length;
  }
  return short;
}

const RIGHT = 1, WRONG = 0, NOT_SCORED = 2;

function exploredPairs(data) {
  const size = data.ids.length, runs = Object.keys(data.answers), NO_LABEL = data.labels.length;
  const codeOf = (letter) => (letter === "-" ? NO_LABEL : letter.charCodeAt(0) - 97);
  const codesOf = (letters) => {
    const codes = new Uint8Array(size);
    for (let place = 0; place < size; place++) codes[place] = codeOf(letters[place]);
    return codes;
  };
  const key = codesOf(data.key), answers = runs.map((run) => codesOf(data.answers[run]));
  const people = Object.values(data.assessors).map(codesOf), NO_STATE = 3; // of the assessors: with the key, split, against it
  const nameOf = (code) => (code === NO_LABEL ? "none" : data.labels[code].toLowerCase().replaceAll("_", " "));
  const confidences = new Map(Object.entries(data.confidences));
  const everything = Uint32Array.from({ length: size }, (_, place) => place);
  let scored, chosen = -1; // chosen: the run whose errors are looked at

  // Which answers are right, how many, and how much the runs disagree: the chance that two answers differ.
  function score(way) {
    const scoring = data.scorings.find((one) => one.way === way) || data.scorings[0];
    const folded = [...[...scoring.counts_as].map(codeOf), NO_LABEL];
    const among = runs.map((run) => scoring.runs.includes(run)), total = among.filter(Boolean).length;
    const verdicts = answers.map(() => new Uint8Array(size).fill(NOT_SCORED));
    const right = new Uint16Array(size), different = new Float64Array(size), counts = new Uint16Array(NO_LABEL + 1);
    for (let place = 0; place < size; place++) {
      counts.fill(0);
      for (let run = 0; run < runs.length; run++) {
        if (!among[run]) continue;
        const answer = folded[answers[run][place]];
        counts[answer]++;
        if (key[place] === NO_LABEL) continue;
        verdicts[run][place] = answer === folded[key[place]] ? RIGHT : WRONG;
        right[place] += verdicts[run][place];
      }
      let same = 0;
      for (const count of counts) same += count * count;
      different[place] = total ? 1 - same / (total * total) : 0;
    }
    const agreed = Uint8Array.from(everything, (place) => {
      const labels = new Set(people.map((codes) => folded[codes[place]]).filter((label) => label !== NO_LABEL));
      if (!labels.size || key[place] === NO_LABEL) return NO_STATE;
      return labels.size > 1 ? 1 : labels.has(folded[key[place]]) ? 0 : 2;
    });
    scored = { way: scoring.way, agreed, among, verdicts, right, total, different, orders: {} };
  }

  const isScored = (place) => key[place] !== NO_LABEL && scored.total > 0;
  const patterns = [
    ["all-wrong", "all wrong", (place) => isScored(place) && scored.right[place] === 0],
    ["one-wrong", "only one wrong", (place) => isScored(place) && scored.right[place] === scored.total - 1],
    ["disagree", "runs disagree", (place) => scored.different[place] > 0],
    ["all-right", "all right", (place) => isScored(place) && scored.right[place] === scored.total],
  ];

  // A filter by options (value and text): `test` makes the test of one option, `tally` counts pairs at every option.
  // Both are plain loops over columns, so that ten thousand pairs of fifty runs take a few milliseconds.
  const facet = (name, title, options, test, tally) => ({ name, title, options, test, tally, counts: [], totals: [] });
  const byRun = (name, title, verdict) => facet(name, title, runs.map((run) => [run, run]),
    (run) => (place) => scored.verdicts[run][place] === verdict,
    (places) => scored.verdicts.map((verdicts) => {
      let count = 0;
      for (let at = 0; at < places.length; at++) if (verdicts[places[at]] === verdict) count++;
      return count;
    }));
  const byLabel = (name, title, codes, column) => {
    const sorted = [...codes].sort();
    return facet(name, title, sorted.map((code) => [data.labels[code] || "none", nameOf(code)]),
      (option) => (place) => column()[place] === sorted[option],
      (places) => {
        const labels = column(), counts = new Uint32Array(NO_LABEL + 1);
        for (let at = 0; at < places.length; at++) counts[labels[places[at]]]++;
        return sorted.map((code) => counts[code]);
      });
  };
  const byAttribute = (name, { values, places: own }) => facet(`by.${name}`, name, values.map((value) => [value, value]),
    (option) => (place) => own[place].includes(option),
    (places) => {
      const counts = new Uint32Array(values.length);
      for (let at = 0; at < places.length; at++) for (const option of own[places[at]]) counts[option]++;
      return counts;
    });
  const given = new Set(Object.values(data.answers).flatMap((letters) => [...new Set(letters)].map(codeOf)));
  const facets = [
    byRun("wrong", "Wrong by", WRONG),
    byLabel("said", "Its answer", given, () => answers[chosen] || []),
    byRun("right", "Right by", RIGHT),
    facet("answers", "Answers", patterns, (option) => patterns[option][2],
      (places) => patterns.map(([, , holds]) => places.reduce((count, place) => count + holds(place), 0))),
    byLabel("key", "Key", new Set(key), () => key),
    ...(people.length ? [facet("assessors", "Assessors",
      [["agree", "all agree with the key"], ["disagree", "disagree"], ["against", "all against the key"]],
      (option) => (place) => scored.agreed[place] === option,
      (places) => [0, 1, 2].map((state) => places.reduce((count, place) => count + (scored.agreed[place] === state), 0)))] : []),
    ...Object.entries(data.attributes).map(([name, attribute]) => byAttribute(name, attribute)),
  ];

  let words; // of each pair, in lower case; made when somebody searches
  function searched(text) {
    const asked = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!asked.length) return () => true;
    words ||= data.ids.map((id, place) => `${id}\n${data.texts[place] ?? ""}\n${data.hypotheses[place] ?? ""}`.toLowerCase());
    return (place) => asked.every((word) => words[place].includes(word));
  }

  // The confidences of the chosen run in its answers, which alone can be compared from pair to pair.
  function stated() {
    const found = confidences.get(runs[chosen]);
    return found && !found.entailment ? found.values : undefined;
  }

  function order(sort) {
    const by = sort === "confidence" && !stated() ? "" : sort;
    const name = by === "confidence" ? `confidence ${chosen}` : by;
    if (!scored.orders[name]) {
      const values = stated();
      const rank = { "": (place) => (isScored(place) ? scored.right[place] : Infinity), file: () => 0,
        disagreement: (place) => -scored.different[place], confidence: (place) => -(values[place] ?? -Infinity) }[by];
      const ranks = Float64Array.from({ length: size }, (_, place) => rank(place));
      const compare = (a, b) => (ranks[a] === ranks[b] ? a - b : ranks[a] - ranks[b]);
      scored.orders[name] = everything.slice().sort(compare);
    }
    return scored.orders[name];
  }

  // "Its answer" is that of whichever run is chosen: another run would be wrong with that answer on other pairs.
  function wrongWith(wanted, ordered) {
    const code = data.labels.includes(wanted.said) ? data.labels.indexOf(wanted.said) : NO_LABEL;
    const tests = facets.slice(2).flatMap((one) => {
      const option = one.options.findIndex(([value]) => value === wanted[one.name]);
      return option < 0 ? [] : [one.test(option)];
    });
    const left = ordered.filter((place) => tests.every((test) => test(place)));
    return runs.map((_, run) => left.reduce(
      (count, place) => count + (scored.verdicts[run][place] === WRONG && answers[run][place] === code), 0));
  }

  // The pairs that pass all filters. A pair that fails only one is counted at the options of that one, because another
  // option of it would show the pair.
  function filter(wanted) {
    chosen = runs.indexOf(wanted.wrong);
    const ordered = order(wanted.sort || "").filter(searched(wanted.q || ""));
    const fails = new Uint8Array(size), last = new Array(size);
    for (const one of facets) {
      const option = one.options.findIndex(([value]) => value === wanted[one.name]);
      if (option < 0) continue;
      const test = one.test(option);
      for (const place of ordered) if (!test(place)) { fails[place]++; last[place] = one; }
    }
    const found = ordered.filter((place) => !fails[place]);
    for (const one of facets) {
      const near = (place) => !fails[place] || (fails[place] === 1 && last[place] === one);
      one.counts = one.tally(wanted[one.name] ? ordered.filter(near) : found);
    }
    if (wanted.wrong && wanted.said) facets[0].counts = wrongWith(wanted, ordered);
    if (scored.chosen !== chosen) for (const one of facets) one.totals = one.tally(everything);
    scored.chosen = chosen;
    return found;
  }

  return { size, runs, key, answers, given, facets, nameOf, codeOf, score, filter, isScored, stated, confidences, NO_LABEL,
    get scored() { return scored; }, get chosen() { return chosen; } };
}
