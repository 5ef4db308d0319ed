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
  showOrder(form);
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
  for (const grip of form.querySelectorAll(".grip")) {
    grip.disabled = !fieldsOf(grip.parentElement).some((field) => field.value.trim());
  }
}

// The parts of a list are dragged into their order by a grip beside each, or moved by the arrow
// keys; words stand on cards that are put into the next free place, or dragged to one.
function showOrder(form) {
  const list = form.querySelector(".places[data-grip]");
  if (!list || list.children.length < 2) return;
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = list.dataset.hint;
  list.before(note);
  if (list.dataset.cards) list.before(cardsOf(list));
  [...list.children].forEach((place, k) => {
    const grip = document.createElement("button");
    Object.assign(grip, { type: "button", className: "grip", textContent: "\u2630" });
    grip.setAttribute("aria-label", list.dataset.grip.replace("{number}", k + 1));
    place.append(grip);
    grip.addEventListener("keydown", (event) => moveByKey(event, list, k));
    drag(grip, (event) => {
      const to = placeAt(list, event, filledIn(list) - 1);
      const from = [...list.children].findIndex((one) => one.classList.contains("held"));
      if (from >= 0 && to !== from) move(list, from, to);
      hold(list, to);
    }, () => hold(list, k), () => hold(list, -1));
  });
}

function cardsOf(list) {
  const cards = document.createElement("p");
  cards.className = "cards";
  Object.assign(cards, { lang: list.lang, dir: list.dir });
  for (const word of list.dataset.cards.split("|")) {
    const card = document.createElement("button");
    Object.assign(card, { type: "button", className: "card quiet", textContent: word });
    const put = (to) => {
      const values = valuesOf(list);
      if (filledIn(list) >= list.children.length) return;
      values.splice(to, 0, [word]);
      write(list, values);
    };
    let dragged = false;
    drag(card, (event) => hold(list, isOver(list, event) ? placeAt(list, event, filledIn(list)) : -1), () => { dragged = false; }, (event) => {
      dragged = isOver(list, event);
      if (dragged) put(placeAt(list, event, filledIn(list)));
      hold(list, -1);
    });
    card.addEventListener("click", () => { if (!dragged) put(filledIn(list)); dragged = false; });
    cards.append(card);
  }
  return cards;
}

// Mouse, pen and finger alike: what happens while it is down, at its beginning and at its end.
function drag(handle, moved, begun, ended) {
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    begun(event);
    const end = (last) => {
      handle.removeEventListener("pointermove", moved);
      for (const name of ["pointerup", "pointercancel"]) handle.removeEventListener(name, end);
      ended(last);
    };
    handle.addEventListener("pointermove", moved);
    for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, end);
  });
}

function moveByKey(event, list, from) {
  const forward = list.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: -1, [forward]: 1 };
  const to = from + (steps[event.key] || 0);
  if (to === from || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (to < 0 || to >= filledIn(list)) return;
  move(list, from, to);
  list.children[to].querySelector(".grip").focus();
  say(list.dataset.moved.replace("{number}", to + 1));
}

function valuesOf(list) {
  return [...list.children].map((place) => fieldsOf(place).map((field) => field.value));
}

function filledIn(list) {
  return valuesOf(list).findLastIndex((values) => values.some((value) => value.trim())) + 1;
}

function move(list, from, to) {
  const values = valuesOf(list);
  values.splice(to, 0, ...values.splice(from, 1));
  write(list, values);
}

function write(list, values) {
  [...list.children].forEach((place, k) => fieldsOf(place).forEach((field, j) => { field.value = values[k][j]; }));
  list.children[0].querySelector("input, select").dispatchEvent(new Event("input", { bubbles: true }));
}

function hold(list, number) {
  [...list.children].forEach((place, k) => place.classList.toggle("held", k === number));
}

function isOver(list, event) {
  const box = list.getBoundingClientRect();
  return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
}

// The number of the place that is nearest to a pointer, at most `last`.
function placeAt(list, event, last) {
  const distances = [...list.children].slice(0, last + 1).filter((place) => !place.hidden).map((place) => {
    const box = place.getBoundingClientRect();
    return Math.hypot(event.clientX - (box.left + box.right) / 2, event.clientY - (box.top + box.bottom) / 2);
  });
  return Math.max(0, distances.indexOf(Math.min(...distances)));
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
  const field = event.target.closest("input[type=text], textarea, select, button, a, summary, audio, video");
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
