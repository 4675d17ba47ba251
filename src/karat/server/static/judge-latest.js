// What this page knows to have been done last about each unit and entry: the id of a decision. It goes with the next one,
// so that nothing is replaced that was said in another window since.

export class Latest {
  constructor(queue) {
    this.known = new Map();
    this.count = 0;  // decisions that were made here
    for (const one of queue) this.known.set(one.unit, new Map(one.fields).get("id"));
  }

  get(unit) { return this.known.get(unit) ?? ""; }

  done(unit, id) {
    this.count += 1;
    this.known.set(unit, id);
  }

  // From a unit as the server sent it; `newer` if nothing was decided here since it was asked for.
  learn(html, newer) {
    const frame = document.createElement("template");
    frame.innerHTML = html;
    const unit = frame.content.getElementById("judge");
    const found = [[unit.dataset.unit, unit.dataset.latest], [unit.dataset.last, unit.dataset.lastLatest]];
    for (const form of unit.querySelectorAll("[data-entry-form]")) found.push([form.elements.unit.value, form.elements.instead_of.value]);
    this.told(found, newer);
  }

  told(found, newer) {
    for (const [of, id] of found) if (of && (newer || !this.known.has(of))) this.known.set(of, id);
  }
}
