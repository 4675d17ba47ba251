// Decisions on their way to the server: one at a time, in order, kept in the browser until they are acknowledged.

const FIRST_WAIT = 1000, LONGEST_WAIT = 10000;
export const PATIENCE = 20000;

export function uuid() {  // crypto.randomUUID is missing where a page came over plain http
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

// What is being written about a unit stays in this tab until it is saved.
export class Drafts {
  constructor(scope) { this.scope = `${scope}draft `; }
  get(unit) { try { return JSON.parse(sessionStorage.getItem(this.scope + unit)); } catch { return null; } }
  set(unit, fields) { try { sessionStorage.setItem(this.scope + unit, JSON.stringify(fields)); } catch { /* on the screen alone */ } }
  drop(unit) { try { sessionStorage.removeItem(this.scope + unit); } catch { /* there is none */ } }
}

export class Outbox {
  // `on` has: acknowledged(entry, told), refused(entry, told), changed(), drained(), renew().
  constructor(scope, address, account, on) {
    Object.assign(this, { scope: `${scope}save `, address, account, on });
    this.queue = this.kept();
    this.cause = "";      // why decisions wait
    this.loggedOut = false;
    this.sending = false;
    this.wait = FIRST_WAIT;
    this.made = 0;
  }

  // One entry for each decision, so that two tabs cannot overwrite each other's.
  kept() {
    const found = [];
    try {
      for (let at = 0; at < localStorage.length; at += 1) {
        const key = localStorage.key(at);
        if (key.startsWith(this.scope)) found.push(JSON.parse(localStorage.getItem(key)));
      }
    } catch { /* nothing can be kept here */ }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  add(fields, unit, id) {
    this.made += 1;
    const key = `${String(Date.now()).padStart(15, "0")}-${String(this.made).padStart(6, "0")}-${id}`;
    const entry = { key, unit, fields: [...fields, ["id", id]] };
    this.queue.push(entry);
    try { localStorage.setItem(this.scope + key, JSON.stringify(entry)); } catch { /* kept in memory alone */ }
    this.on.changed();
    this.send();
  }

  // What waits for a decision that was refused comes instead of what that one would have replaced.
  skipOver(entry) {
    const { id, instead_of: before } = Object.fromEntries(entry.fields);
    for (const one of this.queue) {
      const at = one.unit === entry.unit ? one.fields.findIndex(([key, value]) => key === "instead_of" && value === id) : -1;
      if (at < 0) continue;
      one.fields[at][1] = before;
      try { localStorage.setItem(this.scope + one.key, JSON.stringify(one)); } catch { /* kept in memory alone */ }
    }
  }

  // Now rather than after the wait: the connection may be back.
  hurry() {
    this.wait = FIRST_WAIT;
    if (this.queue.length) this.send();
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      while (this.queue.length) {
        const entry = this.queue[0], answer = await this.post(entry);
        if (!answer) {
          this.timer = setTimeout(() => this.send(), this.wait);
          this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
          this.on.changed();
          return;
        }
        this.queue.shift();
        try { localStorage.removeItem(this.scope + entry.key); } catch { /* it was in memory alone */ }
        this.wait = FIRST_WAIT;
        this.cause = "";
        this.loggedOut = false;
        if (answer.accepted) this.on.acknowledged(entry, answer);
        else this.on.refused(entry, answer);
      }
    } finally { this.sending = false; }
    this.on.changed();
    this.on.drained();
  }

  // What the server says to a decision: that it is stored, or why it is refused; null if it has to be sent again.
  async post(entry, again = false) {
    let answer, told = null;
    try {
      answer = await fetch(this.address, {
        method: "POST",
        headers: { Accept: "application/json", "X-CSRFToken": /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "" },
        body: new URLSearchParams(entry.fields),
        signal: AbortSignal.timeout(PATIENCE),
      });
      if ((answer.headers.get("Content-Type") ?? "").startsWith("application/json")) told = await answer.json();
    } catch {
      this.cause = "no connection. Everything is kept in this browser, and sent when it is back.";
      return null;
    }
    const codes = (told?.problems ?? []).map((one) => one.code);
    if (told?.accepted) return told;
    if (codes.includes("other-account")) this.cause = `somebody else is logged in now. Log in again as ${this.account}.`;
    else if (codes.length && answer.status < 500 && answer.status !== 429) return told;
    else if (answer.redirected) {
      this.cause = "you are no longer logged in.";
      this.loggedOut = true;
    } else if (answer.status === 403 && !again) {
      await this.on.renew();  // brings a new token, if this one has expired
      return this.post(entry, true);
    } else this.cause = `the server could not store this (${answer.status}). It is tried again.`;
    return null;
  }
}
