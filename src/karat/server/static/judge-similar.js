// Whether two short texts may say the same: the share of their words that they have in common, whatever the endings.

const SMALL = new Set("a an and are as at be been but by did do does for from had has have he her his in is it its of on or she that the their they this to was were who will with".split(" "));

// Endings of English words, so roughly that nothing has to be looked up: it is a hint, and people decide.
function stem(word) {
  for (const ending of ["ations", "ation", "ingly", "ings", "edly", "ies", "ing", "ers", "ed", "es", "ly", "er", "s"]) {
    if (word.endsWith(ending) && word.length - ending.length >= 3) return word.slice(0, -ending.length);
  }
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

export function stems(text) {
  const words = text.toLowerCase().normalize("NFKD").match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !SMALL.has(word)).map(stem));
}

// The Jaccard coefficient of two sets, or nearly 1 if the smaller one, of two words or more, is all in the other.
export function similarity(one, other) {
  let both = 0;
  for (const word of one) if (other.has(word)) both += 1;
  const least = Math.min(one.size, other.size);
  if (!least) return 0;
  return Math.max(both / (one.size + other.size - both), least > 1 && both === least ? 0.9 : 0);
}
