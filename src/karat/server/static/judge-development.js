// Question development: the questions of a series stand in the order in which they are asked, and can be moved.

export class Development {
  constructor(_, { list }) {
    Object.assign(this, { list, count: list.count });
    list.box.addEventListener("keydown", (event) => {
      const row = event.target.closest("[data-entry]:not([data-new])");
      if (!row || !event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      this.move(row, event.key === "ArrowUp", event.target);
    });
    list.box.addEventListener("click", (event) => {
      const button = event.target.closest("[data-move]");
      if (button) this.move(button.closest("[data-entry]"), button.dataset.move === "up", button);
    });
    list.box.addEventListener("input", (event) => { if (event.target.form) this.fit(event.target.form); });
    this.dress();
  }

  // OTHER has no known answers: they are judged by nuggets.
  fit(form) {
    const other = new FormData(form).get("answer.kind") === "OTHER";
    for (const field of form.elements) if (["answer.answers", "answer.none"].includes(field.name)) field.disabled = other;
  }

  press() { return false; }

  // Places follow from the order on the screen; whoever has no script types them.
  dress() {
    for (const row of [...this.list.rows(), this.list.fresh]) {
      this.place(row).closest(".field").hidden = true;
      this.fit(row.querySelector("form"));
      if (row.hasAttribute("data-new") || row.querySelector("[data-move]")) continue;
      for (const [way, words] of [["up", "Earlier"], ["down", "Later"]]) {
        const button = document.createElement("button");
        Object.assign(button, { type: "button", textContent: words, title: `Alt and the arrow ${way}` });
        button.dataset.move = way;
        button.setAttribute("aria-keyshortcuts", way === "up" ? "Alt+ArrowUp" : "Alt+ArrowDown");
        row.querySelector(".actions").append(" ", button);
      }
    }
  }

  place(row) { return row.querySelector("form").elements["answer.place"]; }
  isOther(row) { return this.list.value(row, "kind") === "OTHER"; }

  move(row, up, focused) {
    const rows = this.list.rows(), at = rows.indexOf(row), other = rows[at + (up ? -1 : 1)];
    if (!other) return;
    if (up) other.before(row);
    else other.after(row);
    this.number();
    this.list.tally();
    focused.focus();
  }

  // Each question whose place is another one is saved.
  number() {
    for (const [at, row] of this.list.rows().entries()) {
      if (this.place(row).value === String(at + 1)) continue;
      this.place(row).value = String(at + 1);
      this.list.store(row.querySelector("form"), true);
    }
  }

  // A new question is asked before OTHER, which ends the series.
  refresh() {
    this.dress();
    const rows = this.list.rows(), added = rows.length > this.count;
    this.count = rows.length;
    const [before, last] = rows.slice(-2);
    if (added && last && this.isOther(before) && !this.isOther(last)) {
      before.before(last);
      this.number();
      this.list.tally();
    }
  }
}
