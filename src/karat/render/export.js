// Every table can be taken away as CSV, LaTeX or Markdown, with the BibTeX of what it is computed by.
const WRITERS = {
  CSV: (rows) => rows.map((row) => row.map(([shown, exact]) => csvCell(exact ?? shown)).join(",")).join("\n"),
  LaTeX: (rows) => latexTable(rows.map((row) => row.map(([shown]) => shown))),
  Markdown: (rows) => markdownTable(rows.map((row) => row.map(([shown]) => shown))),
};
const ENDINGS = { CSV: "csv", LaTeX: "tex", Markdown: "md", BibTeX: "bib" };

function csvCell(text) {
  // A spreadsheet would run a formula.
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function numeric(rows, place) {
  const cells = rows.slice(1).map((row) => row[place]).filter((text) => text && !"–—".includes(text));
  return cells.length > 0 && cells.every((text) => /^[−+-]?[\d,]+(\.\d+)?%?$/.test(text));
}

function latexTable(rows) {
  const special = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--", "−": "$-$", "≠": "$\\neq$" };
  const escaped = (text) => text.replace(/[\\~^–−≠]|[&%$#_{}]/g, (one) => special[one] ?? `\\${one}`);
  const lines = rows.map((row) => `  ${row.map(escaped).join(" & ")} \\\\`);
  const columns = rows[0].map((_, place) => (numeric(rows, place) ? "r" : "l")).join("");
  return [`\\begin{tabular}{${columns}}`, "  \\toprule", lines[0], "  \\midrule", ...lines.slice(1), "  \\bottomrule", "\\end{tabular}"].join("\n");
}

function markdownTable(rows) {
  const line = (cells) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = rows[0].map((_, place) => (numeric(rows, place) ? "---:" : "---"));
  return [line(rows[0]), line(rule), ...rows.slice(1).map(line)].join("\n");
}

function rowsOf(table) {
  const shown = [...table.rows].filter((row) => !row.hidden && !row.classList.contains("cut"));
  return shown.map((row) => [...row.cells].map((cell) => [cell.dataset.text ?? cell.textContent.trim(), cell.dataset.value]));
}

function citationsOf(table) {
  const { entries, sections } = JSON.parse(document.getElementById("bibliography").textContent);
  const section = table.closest("section, header"); // a page of a single result has none
  return (sections[section?.id ?? "result"] ?? []).map((key) => entries[key]).join("\n\n");
}

const dialog = element("dialog", { id: "export" });
const written = element("textarea", { readOnly: true, rows: 16, spellcheck: false });
const copy = element("button", { type: "button" }, "Copy");
const download = element("a", {}, "Download");
const close = element("button", { type: "button" }, "Close");
dialog.append(written, element("p", {}, copy, " ", download, " ", close));
copy.addEventListener("click", () => {
  written.select();
  navigator.clipboard?.writeText(written.value).catch(() => document.execCommand("copy"));
  copy.textContent = "Copied";
});
close.addEventListener("click", () => dialog.close());
document.body.append(dialog);

function offer(table, format) {
  const text = format === "BibTeX" ? citationsOf(table) : WRITERS[format](rowsOf(table));
  written.value = `${text}\n`;
  written.setAttribute("aria-label", `${table.caption.textContent} as ${format}`);
  download.href = `data:text/plain;charset=utf-8,${encodeURIComponent(written.value)}`;
  download.download = `${table.caption.textContent.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40)}.${ENDINGS[format]}`;
  copy.textContent = "Copy";
  dialog.showModal();
  written.select();
  written.scrollTop = 0; // a browser shows the end of what is selected
}

for (const table of document.querySelectorAll("main table")) {
  if (!table.caption || table.closest(".tiles, #pairs")) continue;
  const buttons = Object.keys(ENDINGS).filter((format) => format !== "BibTeX" || citationsOf(table)).map((format) => {
    const button = element("button", { type: "button" }, format === "BibTeX" ? "cite" : format);
    button.addEventListener("click", () => offer(table, format));
    return button;
  });
  table.closest(".scroll, .board").after(element("p", { className: "tools" }, ...buttons));
}
