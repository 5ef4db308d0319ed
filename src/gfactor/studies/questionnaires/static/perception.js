// The screen: what the browser knows of it, and the size of a card of 85.60 x 53.98 mm on it.
// Below it: pictures that are shown for a short time.
"use strict";

const clocks = {
  median(values) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
  },

  // The smallest step of the clock that is seen in some thousand readings, at most for 20 ms.
  step() {
    let step = Infinity;
    const begun = performance.now();
    let last = begun;
    for (let k = 0; k < 20000 && last - begun < 20; k += 1) {
      const now = performance.now();
      if (now > last) step = Math.min(step, now - last);
      last = now;
    }
    return Number.isFinite(step) ? Number(step.toFixed(4)) : null;
  },
};

(() => {
  const part = document.getElementById("part");
  const LONG = 85.6;
  const SHORT = 53.98;

  // Milliseconds between two frames: the median of 30.
  function measureFrames(form) {
    const gaps = [];
    let last = null;
    function next(now) {
      if (last !== null) gaps.push(now - last);
      last = now;
      if (gaps.length < 30) requestAnimationFrame(next);
      else if (form.isConnected) form.elements.frame_ms.value = clocks.median(gaps).toFixed(3);
    }
    requestAnimationFrame(next);
  }

  // On a screen too narrow for its long side the card stands upright; widths stay those of the
  // long side.
  function calibrate(form) {
    const box = form.querySelector("#card");
    if (!box) return;
    const picture = box.querySelector("#card-picture");
    const room = Math.max(120, box.clientWidth);
    const upright = room < 420;
    const scale = upright ? LONG / SHORT : 1;
    const most = Math.min(room, upright ? 600 : 900) * scale;
    box.querySelectorAll("input[type=range]").forEach((slider, k) => {
      slider.min = String(Math.round(0.2 * most));
      slider.max = String(Math.floor(most));
      slider.value = k === 0 ? slider.min : slider.max;
      const draw = () => {
        const long = Number(slider.value);
        const short = long * SHORT / LONG;
        picture.style.width = `${upright ? short : long}px`;
        picture.style.height = `${upright ? long : short}px`;
      };
      slider.addEventListener("focus", draw);
      slider.addEventListener("input", () => {
        draw();
        form.elements.namedItem(slider.dataset.name).value = slider.value;
      });
      if (k === 0) draw();
    });
  }

  part.addEventListener("question-shown", (event) => {
    const form = event.detail;
    if (!form.elements.frame_ms || !form.elements.window_width) return;
    form.elements.screen_width.value = String(screen.width);
    form.elements.screen_height.value = String(screen.height);
    form.elements.timer_ms.value = String(clocks.step() ?? "");
    measureFrames(form);
    calibrate(form);
    const full = form.querySelector("#full-screen");
    if (full && !document.fullscreenEnabled) full.hidden = true;
    full?.addEventListener("click", () => {
      document.documentElement.requestFullscreen().catch(() => { full.hidden = true; });
    });
  });

  part.addEventListener("question-measured", (event) => {
    const form = event.detail;
    if (!form.elements.window_width) return;
    form.elements.window_width.value = String(window.innerWidth);
    form.elements.window_height.value = String(window.innerHeight);
    form.elements.device_pixel_ratio.value = String(window.devicePixelRatio);
    form.elements.full_screen.value = document.fullscreenElement ? "1" : "0";
    form.elements.touch.value = matchMedia("(pointer: coarse)").matches ? "1" : "0";
    if (form.querySelector("#no-card")?.checked) {
      for (const name of ["card_first", "card_second"]) form.elements.namedItem(name).value = "";
    }
  });

  // Comes before the listener that sends: both settings of the card, or none.
  part.addEventListener("submit", (event) => {
    const box = event.target.querySelector("#card");
    if (!box || box.querySelector("#no-card").checked) return;
    const set = [...box.querySelectorAll("input[type=hidden]")].every((field) => field.value);
    if (set) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.getElementById("status").textContent = box.dataset.missing;
  });
})();

// A question whose pictures are shown for a short time. They are fetched and decoded before the
// participant starts it; the server notes the start and sends them no more; then come a cross, the
// pictures, and a mask, each for so many frames.
(() => {
  const part = document.getElementById("part");
  const FRAMES_BEFORE = 12;  // of which the length of a frame is measured, at least
  let trial = null;
  let touched = null;  // the last key or pointer that was pressed

  function say(text) {
    document.getElementById("status").textContent = text;
  }

  async function pictureIn(place, path, kind, alt, form) {
    const blob = await fetching.blob(path, form);
    if (blob === null) return false;
    const picture = new Image();
    picture.className = kind;
    picture.alt = alt;
    picture.src = URL.createObjectURL(blob);
    await picture.decode();
    place.append(picture);
    await picture.decode();
    return true;
  }

  function over(now, text) {
    now.phase = "over";
    now.button.hidden = true;
    now.answers.disabled = false;
    now.form.querySelector("#trial-note").textContent = text;
    now.form.querySelector("h1").focus({ preventScroll: true });
  }

  async function prepare(form, field) {
    const now = {
      form, field, phase: "loading", told: {}, gaps: [], last: null, hidden: false,
      button: form.querySelector("#show-picture"), answers: form.querySelector("fieldset"),
      places: [...form.querySelectorAll(".timed")],
    };
    trial = now;
    if ("begun" in field.dataset) {
      over(now, field.dataset.lost);
      return;
    }
    now.answers.disabled = true;
    const loads = now.places.flatMap((place) => {
      const path = place.dataset.picture;
      const at = path.lastIndexOf("/image/");
      const masking = `${path.slice(0, at)}/mask/${path.slice(at + 7)}`;
      return [
        pictureIn(place, path, "target", place.dataset.alt, form),
        field.dataset.mask ? pictureIn(place, masking, "mask", "", form) : true,
      ];
    });
    const there = await Promise.all(loads);
    if (trial !== now || !form.isConnected) return;
    if (there.includes(false)) {
      over(now, field.dataset.lost);
      return;
    }
    const cross = document.createElement("span");
    cross.className = "cross";
    cross.setAttribute("aria-hidden", "true");
    now.places[0].append(cross);
    now.told.timer_ms = clocks.step();
    now.phase = "ready";
    say("");
    now.button.disabled = false;
    now.button.focus({ preventScroll: true });
  }

  async function start(now) {
    if (now.phase !== "ready") return;
    now.phase = "asking";
    now.button.disabled = true;
    const body = new URLSearchParams({
      form_token: now.form.elements.form_token.value,
      position: now.form.elements.position.value,
    });
    for (;;) {
      try {
        const reply = await fetch(now.field.dataset.begin, { method: "POST", body });
        if (reply.status === 204) break;
        if (reply.status < 500 && reply.status !== 429) {
          forget(now);
          over(now, now.field.dataset.lost);
          return;
        }
      } catch { /* the server cannot be reached: the picture is not shown yet */ }
      say(now.form.dataset.resend);
      await fetching.pause(1000);
    }
    if (!now.form.isConnected) return;
    say("");
    now.places[0].scrollIntoView({ block: "nearest" });
    now.phase = "cross";
    requestAnimationFrame((time) => frame(now, time));
  }

  function show(now, kind) {
    for (const place of now.places) place.dataset.shows = kind;
  }

  // Pictures leave the page; masks and crosses may stay.
  function forget(now) {
    for (const picture of now.form.querySelectorAll(".timed .target")) {
      const box = picture.getBoundingClientRect();
      const place = picture.parentElement;
      place.style.width = `${box.width}px`;
      place.style.height = `${box.height}px`;
      URL.revokeObjectURL(picture.src);
      picture.remove();
    }
  }

  function frame(now, time) {
    const { told, field } = now;
    if (!now.form.isConnected) return;
    if (now.last !== null) now.gaps.push(time - now.last);
    now.last = time;
    const near = (told.frame_ms ?? 0) / 2;
    if (now.phase === "cross") {
      if (now.crossed === undefined) {
        now.crossed = time;
        show(now, "cross");
      } else if (now.gaps.length >= FRAMES_BEFORE) {
        told.frame_ms = clocks.median(now.gaps);
        if (time - now.crossed >= Number(field.dataset.fixation) - told.frame_ms / 2) onset(now, time);
      }
    } else if (now.phase === "picture") {
      if (time - told.onset_ms >= Number(field.dataset.exposure) - near) offset(now, time);
    } else if (now.phase === "mask") {
      const limit = Number(field.dataset.maskTime);
      if (limit && time - told.offset_ms >= limit - near) {
        told.mask_ms = time - told.offset_ms;
        show(now, "nothing");
        over(now, field.dataset.over);
      }
    }
    if (now.phase !== "over") requestAnimationFrame((next) => frame(now, next));
  }

  function onset(now, time) {
    const { told } = now;
    now.phase = "picture";
    show(now, "target");
    told.fixation_ms = time - now.crossed;
    told.onset_ms = time;
    told.full_screen = document.fullscreenElement ? 1 : 0;
    now.gaps = [];
    now.answers.disabled = false;
    now.button.hidden = true;
  }

  function offset(now, time) {
    const { told, field } = now;
    const box = now.places[0].querySelector(".target").getBoundingClientRect();
    show(now, field.dataset.mask ? "mask" : "nothing");
    Object.assign(told, {
      offset_ms: time,
      width: box.width,
      height: box.height,
      frames: Math.round((time - told.onset_ms) / told.frame_ms),
      dropped: now.gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / told.frame_ms) - 1), 0),
      hidden: now.hidden ? 1 : 0,
    });
    now.phase = "mask";
    setTimeout(() => forget(now), 0);  // after this frame, which has enough to do
    if (!field.dataset.mask || !Number(field.dataset.maskTime)) over(now, field.dataset.over);
  }

  function responded() {
    const told = trial?.told;
    if (told?.onset_ms === undefined || touched === null || touched.time < told.onset_ms) return;
    told.response_ms = touched.time - told.onset_ms;
    told.response_by = touched.by;
  }

  part.addEventListener("question-shown", (event) => {
    const field = event.detail.elements.presentation;
    trial = null;
    if (field) prepare(event.detail, field);
  });

  part.addEventListener("click", (event) => {
    if (event.target.id === "show-picture" && trial) start(trial);
  });

  part.addEventListener("input", responded);

  // Comes before the listener that sends: a question is answered once its picture has gone.
  part.addEventListener("submit", (event) => {
    if (!trial || trial.phase === "over" || trial.phase === "mask") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });

  part.addEventListener("question-measured", () => {
    if (!trial) return;
    const { told, field } = trial;
    if (field.dataset.mask && told.offset_ms !== undefined && told.mask_ms === undefined) {
      told.mask_ms = Math.max(0, performance.now() - told.offset_ms);
    }
    if (told.onset_ms !== undefined) field.value = JSON.stringify(told);
  });

  document.addEventListener("keydown", (event) => {
    touched = { time: event.timeStamp, by: "key" };
    const field = event.target.closest("input, textarea, select, button, a, summary");
    if (trial?.phase !== "ready" || field || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    start(trial);
  }, true);

  document.addEventListener("pointerdown", (event) => {
    touched = { time: event.timeStamp, by: event.pointerType || "mouse" };
  }, true);

  document.addEventListener("visibilitychange", () => {
    if (document.hidden && trial && ["cross", "picture"].includes(trial.phase)) trial.hidden = true;
  });
})();
