// One question at a time: pictures first, then the clock; an answer is kept until it is stored.
"use strict";

const part = document.getElementById("part");
const large = document.getElementById("large");
const keysButton = document.getElementById("number-keys");
const state = { start: 0, awaySince: null, awayCount: 0, awaySeconds: 0, resized: 0, timer: 0, sent: false };

document.documentElement.classList.add("js");
keysButton.hidden = false;

function keysOn() {
  try { return localStorage.getItem("number-keys") !== "off"; } catch { return true; }
}

function showKeys() {
  keysButton.setAttribute("aria-pressed", String(keysOn()));
}

keysButton.addEventListener("click", () => {
  try { localStorage.setItem("number-keys", keysOn() ? "off" : "on"); } catch { /* stays on */ }
  showKeys();
});

function say(text) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

async function begin() {
  const form = document.getElementById("question");
  const heading = part.querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  if (!form) return;
  const problem = document.getElementById("status").textContent;
  Object.assign(state, { awaySince: document.hidden ? performance.now() : null, awayCount: 0, awaySeconds: 0, resized: 0, sent: false });
  const button = form.querySelector("button[type=submit]");
  showPlaces(form);
  showSliders(form);
  part.dispatchEvent(new CustomEvent("question-shown", { detail: form }));
  const pictures = [...form.querySelectorAll("img")];
  if (pictures.length) {
    button.disabled = true;
    say(form.dataset.loading);
    await Promise.allSettled(pictures.map((picture) => picture.decode()));
    button.disabled = false;
  }
  say(problem);
  form.removeAttribute("data-waiting");
  // A page that is loaded again goes on with the time of its first showing.
  state.start = performance.now() - 1000 * Number(form.dataset.elapsed);
  countDown(form);
  for (const path of form.dataset.ahead.split(" ")) {
    if (path) new Image().src = path;
  }
}

function countDown(form) {
  clearInterval(state.timer);
  const limit = Number(form.dataset.limit);
  const clock = document.getElementById("clock");
  if (!limit || !clock) return;
  state.timer = setInterval(() => {
    const left = Math.max(0, Math.ceil(limit - (performance.now() - state.start) / 1000));
    clock.textContent = String(left);
    if (left === 0) {
      clearInterval(state.timer);
      form.elements.over.value = "1";
      say(form.dataset.over);
      send(form);
    }
  }, 250);
}

function answered(form) {
  if (!form.querySelector("fieldset")) return true;  // a turn that is only read
  const ticks = [...form.querySelectorAll("input[type=radio], input[type=checkbox]")];
  if (ticks.some((tick) => tick.checked)) return true;
  return [...form.querySelectorAll("input[type=text], textarea, select")].some((field) => field.value.trim());
}

// A slider writes into its field, which stays empty until the slider is moved or chosen.
function showSliders(form) {
  for (const field of form.querySelectorAll(".slider input[data-low]")) {
    const range = document.createElement("input");
    const { low, high, step } = field.dataset;
    Object.assign(range, { type: "range", min: low, max: high, step, value: field.value || (Number(low) + Number(high)) / 2 });
    range.setAttribute("aria-label", field.labels[0].textContent);
    const take = () => { field.value = range.value; range.classList.remove("untouched"); };
    range.classList.toggle("untouched", !field.value);
    range.addEventListener("input", take);
    range.addEventListener("pointerup", take);
    range.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); take(); } });
    field.addEventListener("input", () => {
      range.classList.toggle("untouched", !field.value);
      if (field.value) range.value = field.value;
    });
    field.closest(".slider").insertBefore(range, field.closest(".slider").querySelector(".ends"));
  }
}

function fieldsOf(place) {
  return [...place.querySelectorAll("input, select")];
}

// A list shows as many places as are filled, and the next few.
function showPlaces(form) {
  const places = [...form.querySelectorAll(".places.order > li, .places.any > li")];
  const last = places.findLastIndex((place) => fieldsOf(place).some((field) => field.value.trim()));
  places.forEach((place, k) => { place.hidden = k > Math.max(last + 1, 3); });
}

// What is wrong with an answer of a fixed form, "" where nothing is.
function wrong(form) {
  const places = [...form.querySelectorAll(".places > li")];
  const filled = places.map((place) => fieldsOf(place).every((field) => field.value.trim()));
  const begun = places.map((place) => fieldsOf(place).some((field) => field.value.trim()));
  for (const field of form.querySelectorAll(".places input")) {
    const text = field.value.trim();
    const words = (field.dataset.words || "").split("|").map((word) => word.toLowerCase());
    const fits = !text || /^\p{Nd}+$/u.test(text) || words.includes(text.toLowerCase());
    field.setAttribute("aria-invalid", String(!fits));
    if (!fits) return field.dataset.words ? form.dataset.word : form.dataset.number;
  }
  const none = form.elements.none?.checked;
  const any = begun.includes(true) || form.querySelector("input[name=part]:checked");
  if (none) return any ? form.dataset.alone : "";
  if (begun.some((value, k) => value && !filled[k])) return form.dataset.every;
  if (form.querySelector(".places.every")) return begun.includes(true) && filled.includes(false) ? form.dataset.every : "";
  if (form.querySelector(".places.order") && filled.lastIndexOf(true) + 1 > filled.filter(Boolean).length) return form.dataset.gap;
  return "";
}

function measured(form) {
  if (state.awaySince !== null) away(false);
  form.elements.seconds.value = ((performance.now() - state.start) / 1000).toFixed(3);
  form.elements.away_count.value = String(state.awayCount);
  form.elements.away_seconds.value = state.awaySeconds.toFixed(3);
  form.elements.resized.value = String(state.resized);
  part.dispatchEvent(new CustomEvent("question-measured", { detail: form }));
}

async function send(form) {
  if (state.sent) return;
  const page = "page" in form.dataset;  // questions without an item: the browser checks them
  if (!page && form.elements.over.value !== "1" && !answered(form)) {
    say(form.dataset.empty);
    return;
  }
  if (!page && form.elements.over.value !== "1" && wrong(form)) {
    say(wrong(form));
    form.querySelector("[aria-invalid=true]")?.focus();
    return;
  }
  state.sent = true;
  clearInterval(state.timer);
  measured(form);
  const body = new URLSearchParams(new FormData(form));
  form.querySelector("button[type=submit]").disabled = true;
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    try {
      const reply = await fetch(form.action, { method: "POST", body, headers: { "x-fragment": "1" } });
      if (reply.status === 204 && reply.headers.get("x-go")) {
        location.assign(reply.headers.get("x-go"));
        return;
      }
      if (reply.ok && !reply.redirected) {
        part.innerHTML = await reply.text();
        begin();
        return;
      }
      if (reply.status < 500 && reply.status !== 429) {
        location.assign(form.action);
        return;
      }
    } catch { /* the server cannot be reached: try again */ }
    say(form.dataset.resend);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

function away(gone) {
  if (gone && state.awaySince === null) {
    state.awaySince = performance.now();
    state.awayCount += 1;
  } else if (!gone && state.awaySince !== null) {
    state.awaySeconds += (performance.now() - state.awaySince) / 1000;
    state.awaySince = null;
  }
}

document.addEventListener("visibilitychange", () => away(document.hidden));
window.addEventListener("blur", () => away(true));
window.addEventListener("focus", () => away(false));
window.addEventListener("resize", () => { state.resized += 1; });

part.addEventListener("input", (event) => {
  const form = document.getElementById("question");
  if (!form) return;
  showPlaces(form);
  // While somebody is still typing only a wrong sign is told, not what is missing yet.
  const told = wrong(form);
  const early = [form.dataset.every, form.dataset.gap].includes(told);
  if (event.target.closest(".places, .words, .tick")) say(early ? "" : told);
});

part.addEventListener("submit", (event) => {
  if (event.target.id !== "question") return;
  event.preventDefault();
  send(event.target);
});

document.addEventListener("click", (event) => {
  const zoom = event.target.closest(".zoom");
  if (!zoom) return;
  const picture = zoom.parentElement.querySelector("img");
  const shown = large.querySelector("img");
  shown.src = picture.src;
  shown.alt = picture.alt;
  large.showModal();
});

document.addEventListener("keydown", (event) => {
  const form = document.getElementById("question");
  if (large.open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const field = event.target.closest("input[type=text], textarea, select, button, a, summary");
  if (event.key === "Enter" && !field) {
    event.preventDefault();
    (form || document.getElementById("feedback"))?.requestSubmit();
    return;
  }
  if (!form || field?.matches("input, textarea, select") || !keysOn() || !/^[1-9]$/.test(event.key)) return;
  const option = form.querySelectorAll("input[name=option], input[data-option]")[Number(event.key) - 1];
  if (!option || option.matches(":disabled") || form.hasAttribute("data-waiting")) return;
  event.preventDefault();
  option.checked = option.type === "radio" ? true : !option.checked;
  option.dispatchEvent(new Event("input", { bubbles: true }));
  option.focus();
});

showKeys();
begin();
