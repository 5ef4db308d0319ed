"use strict";
// Asks every two seconds for what came in since; all texts are put in as texts.
const MOST = 200;
const list = document.getElementById("events");
const pause = document.getElementById("pause");
const newest = { answer: 0, failure: 0 };
for (const entry of list.children) {
  newest.answer = Math.max(newest.answer, Number(entry.dataset.answer));
  newest.failure = Math.max(newest.failure, Number(entry.dataset.failure));
}

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function shown(value) {
  if (value === null) return "";
  return typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(4) : String(value);
}

function show(state) {
  document.title = document.getElementById("title").textContent = state.title;
  const hours = state.hours === null ? "" : `, ${(60 * state.hours).toFixed(1)} minutes left`;
  document.getElementById("live").textContent =
    `${state.left} left, ${state.failed} failed, ${state.processes} processes at work` +
    (state.cost_in_all ? `, ${shown(state.spent)} spent of ${shown(state.cost_in_all)} expected` : "") +
    (state.left ? hours : "");
  const notes = state.notes.map((note) => element("li", note));
  document.getElementById("notes").replaceChildren(...notes);
  const share = document.getElementById("share");
  share.max = state.wanted;
  share.value = state.done;
  const table = document.getElementById("accounts");
  const keys = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.key);
  table.tBodies[0].replaceChildren(...state.accounts.map((row) => {
    const line = document.createElement("tr");
    line.append(...keys.map((key) => element("td", shown(row[key]))));
    return line;
  }));
  for (const event of [...state.events].reverse()) {
    const kind = event.failed ? "failure" : "answer";
    newest[kind] = Math.max(newest[kind], event.id);
    const entry = element("li", "", event.failed ? "failed" : "");
    entry.append(
      element("h3", `${event.examinee}, ${event.condition}, ${event.item}`),
      element("p", event.question, "question"),
      element("p", `${event.outcome}: ${[event.text, event.detail].filter(Boolean).join("; ")}`, "reply"),
    );
    list.prepend(entry);
  }
  while (list.children.length > MOST) list.lastElementChild.remove();
}

async function look() {
  if (pause.getAttribute("aria-pressed") === "false") {
    const query = `?answer=${newest.answer}&failure=${newest.failure}`;
    try {
      const response = await fetch(document.body.dataset.state + query);
      if (response.ok) show(await response.json());
    } catch {
      document.getElementById("live").textContent = "The server does not answer.";
    }
  }
  setTimeout(look, 2000);
}

pause.addEventListener("click", () => {
  const pressed = pause.getAttribute("aria-pressed") === "true";
  pause.setAttribute("aria-pressed", String(!pressed));
});
document.getElementById("which").addEventListener("change", (change) => {
  list.classList.toggle("only-failures", change.target.value === "failed");
});
setTimeout(look, 2000);
