// Judgments that were not saved since something else was said in another window: both are shown until one is chosen.

const CHOICES = { undo: "Take that back", remove: "Take it out" };

export class Conflicts {
  // `on` has: replace(entry), which sends it instead of what is there; settled(entry).
  constructor(scope, on) {
    Object.assign(this, { scope: `${scope}conflict `, on, box: document.getElementById("conflicts"), shown: new Map() });
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(this.scope)) this.add(JSON.parse(localStorage.getItem(key)));
    } catch { /* nothing can be kept here */ }
  }

  // `entry` is a decision with what was said here and there.
  add(entry) {
    try { localStorage.setItem(this.scope + entry.key, JSON.stringify(entry)); } catch { /* on the screen alone */ }
    const box = document.createElement("section"), act = new Map(entry.fields).get("do");
    box.className = "trouble caution";
    box.setAttribute("role", "alert");
    box.setAttribute("aria-label", "Judged in another window since");
    const line = (text, said) => {
      const made = document.createElement("p");
      made.append(text, Object.assign(document.createElement("strong"), { textContent: said }));
      return made;
    };
    const button = (words, then) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: words });
      made.addEventListener("click", () => {
        this.drop(entry, box);
        then();
      });
      return made;
    };
    const show = Object.assign(document.createElement("a"), { className: "button", href: `?unit=${entry.unit.split("/")[0]}`, textContent: "Show it" });
    show.dataset.key = "";
    const actions = document.createElement("p");
    actions.className = "actions";
    actions.append(
      button(`Keep what was said there`, () => this.on.settled(entry)), " ",
      button(CHOICES[act] ?? "Save what was said here", () => this.on.replace(entry)), " ", show,
    );
    const what = entry.about ? `“${entry.about}”` : "this";
    box.append(line(`Not saved: you have judged ${what} in another window since. There: `, entry.there), line("Here: ", entry.here), actions);
    this.box.append(box);
    this.shown.set(entry.id, [entry, box]);
  }

  // A later decision here comes instead of one that was not saved: whether there was one with this id.
  cancel(id) {
    const found = this.shown.get(id);
    if (found) this.drop(...found);
    return Boolean(found);
  }

  drop(entry, box) {
    this.shown.delete(entry.id);
    try { localStorage.removeItem(this.scope + entry.key); } catch { /* it was on the screen alone */ }
    box.remove();
  }
}
