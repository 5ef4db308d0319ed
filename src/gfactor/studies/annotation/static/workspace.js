// The workspace: a draft is rendered while it is written, saved by a key, and every action has one.
"use strict";

const draft = document.getElementById("draft");
const preview = document.getElementById("preview");
const keys = document.getElementById("keys");
const state = { timer: 0, changed: false, asked: 0 };

function say(text) {
  document.getElementById("status").textContent = text;
}

function lines(text) {
  return text.split("\n").map((line) => line.trim()).filter((line) => line);
}

function field(root, name) {
  return root.querySelector(`[data-field=${name}]`);
}

function hasOptions(part) {
  return field(part, "answer_type").value.startsWith("choice");
}

function list(part, name) {
  return part.querySelector(`[data-rows=${name}] [data-list]`);
}

function rowsOf(part, name) {
  return [...list(part, name).querySelectorAll("[data-value]")].map((text) => text.value);
}

function addRow(rows, value) {
  const made = rows.querySelector("template").content.cloneNode(true);
  made.querySelector("[data-value]").value = value;
  rows.querySelector("[data-list]").append(made);
}

// What follows from the type and from the number of rows: options, letters, hints.
function arrange(part) {
  const letters = draft.dataset.letters.split(" ");
  part.querySelector("[data-rows=choices]").hidden = !hasOptions(part);
  part.querySelector("[data-hint]").textContent = JSON.parse(draft.dataset.hints)[field(part, "answer_type").value] ?? "";
  for (const rows of part.querySelectorAll("[data-rows]")) {
    rows.querySelectorAll("[data-row]").forEach((row, k) => {
      const name = rows.dataset.rows === "choices" ? letters[k] ?? "" : String(k + 1);
      row.querySelector(".letter").textContent = name;
      row.querySelector("[data-value]").setAttribute("aria-label", `${rows.dataset.name} ${name}`);
      row.querySelector("[data-take-out]").setAttribute("aria-label", `Remove ${rows.dataset.name.toLowerCase()} ${name}`);
    });
  }
}

function grade(name) {
  const chosen = draft.querySelector(`input[name=${name}]:checked`);
  return chosen ? Number(chosen.value) : 0;
}

function collected() {
  return {
    general: field(draft, "general").value,
    parts: [...draft.querySelectorAll("[data-part]")].map((part) => ({
      content: field(part, "content").value,
      answer_type: field(part, "answer_type").value,
      choices: hasOptions(part) ? rowsOf(part, "choices") : [],
      answer: field(part, "answer").value,
      analysis: field(part, "analysis").value,
      accepted: rowsOf(part, "accepted").filter((text) => text.trim()),
    })),
    labels: lines(field(draft, "labels").value)
      .filter((line) => line.includes(":"))
      .map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]),
    knowledge: lines(field(draft, "knowledge").value),
    difficulty: grade("difficulty"),
    quality: grade("quality"),
    dropped: field(draft, "dropped").value.trim(),
  };
}

function post(path) {
  const body = new URLSearchParams({
    form_token: draft.elements.form_token.value,
    kind: draft.dataset.kind,
    draft: JSON.stringify(collected()),
  });
  return fetch(path, { method: "POST", body });
}

async function render() {
  const asked = ++state.asked;
  try {
    const reply = await post(`${draft.dataset.item}/preview`);
    if (reply.ok && asked === state.asked) preview.innerHTML = await reply.text();
  } catch { /* rendered with the next change */ }
}

function changed() {
  state.changed = true;
  say("Not saved");
  clearTimeout(state.timer);
  state.timer = setTimeout(render, 150);
}

async function save() {
  say("Saving ...");
  try {
    const reply = await post(draft.dataset.item);
    const said = await reply.json();
    state.changed = !reply.ok;
    say(reply.ok ? `Saved; ${said.status}` : said.error);
  } catch {
    say("The workspace cannot be reached. Nothing is lost on this page; save again.");
  }
}

function addPart() {
  const made = document.getElementById("part").content.cloneNode(true);
  document.getElementById("parts").append(made);
  const part = draft.querySelector("[data-part]:last-child");
  arrange(part);
  field(part, "content").focus();
  changed();
}

function removePart(part) {
  if (part && draft.querySelectorAll("[data-part]").length > 1) {
    part.remove();
    changed();
  }
}

function reset() {
  const was = JSON.parse(draft.dataset.original);
  field(draft, "general").value = was.general;
  const parts = document.getElementById("parts");
  parts.replaceChildren();
  for (const part of was.parts) {
    const made = document.getElementById("part").content.cloneNode(true);
    for (const name of ["content", "answer_type", "answer", "analysis"]) field(made, name).value = part[name];
    for (const name of ["choices", "accepted"]) {
      for (const value of part[name]) addRow(made.querySelector(`[data-rows=${name}]`), value);
    }
    parts.append(made);
    arrange(parts.lastElementChild);
  }
  changed();
}

if (draft) {
  draft.addEventListener("input", changed);
  draft.addEventListener("submit", (event) => { event.preventDefault(); save(); });
  draft.addEventListener("click", (event) => {
    const part = event.target.closest("[data-part]");
    if (event.target.closest("[data-remove]")) removePart(part);
    if (event.target.closest("[data-add]")) {
      const rows = event.target.closest("[data-rows]");
      addRow(rows, "");
      arrange(part);
      rows.querySelector("[data-row]:last-child [data-value]").focus();
      changed();
    }
    if (event.target.closest("[data-take-out]")) {
      event.target.closest("[data-row]").remove();
      arrange(part);
      changed();
    }
  });
  draft.addEventListener("change", (event) => {
    if (event.target.matches("[data-field=answer_type]")) arrange(event.target.closest("[data-part]"));
  });
  draft.querySelectorAll("[data-part]").forEach(arrange);
  document.getElementById("add").addEventListener("click", addPart);
  document.getElementById("remove").addEventListener("click", () => removePart(draft.querySelector("[data-part]:last-child")));
  document.getElementById("reset").addEventListener("click", reset);
  document.getElementById("drop").addEventListener("click", () => field(draft, "dropped").focus());
  document.getElementById("focus").addEventListener("click", () => field(draft, "general").focus());
  window.addEventListener("beforeunload", (event) => { if (state.changed) event.preventDefault(); });
}

function graded(event) {
  const digit = /^Digit([1-5])$/.exec(event.code);
  if (!draft || !digit) return false;
  const name = event.shiftKey ? "quality" : "difficulty";
  draft.querySelector(`input[name=${name}][value="${digit[1]}"]`).checked = true;
  changed();
  return true;
}

document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("textarea, select, input[type=text]");
  if (event.key === "Escape" && writing) {
    writing.blur();
    return;
  }
  if ((keys && !keys.checked) || event.ctrlKey || event.metaKey || event.isComposing) return;
  if (writing && !event.altKey) return;
  if (graded(event)) {
    event.preventDefault();
    return;
  }
  if (event.shiftKey) return;
  const key = (/^(?:Key|Digit)(.)$/.exec(event.code)?.[1] ?? event.key).toLowerCase();
  const found = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (found) {
    event.preventDefault();
    found.click();
  }
});
