// The screen: what the browser knows of it, and the size of a card of 85.60 x 53.98 mm on it.
"use strict";

(() => {
  const part = document.getElementById("part");
  const LONG = 85.6;
  const SHORT = 53.98;

  function median(values) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
  }

  // Milliseconds between two frames: the median of 30.
  function measureFrames(form) {
    const gaps = [];
    let last = null;
    function next(now) {
      if (last !== null) gaps.push(now - last);
      last = now;
      if (gaps.length < 30) requestAnimationFrame(next);
      else if (form.isConnected) form.elements.frame_ms.value = median(gaps).toFixed(3);
    }
    requestAnimationFrame(next);
  }

  // The smallest step of the clock that is seen in some thousand readings, at most for 20 ms.
  function clockStep() {
    let step = Infinity;
    const begun = performance.now();
    let last = begun;
    for (let k = 0; k < 20000 && last - begun < 20; k += 1) {
      const now = performance.now();
      if (now > last) step = Math.min(step, now - last);
      last = now;
    }
    return Number.isFinite(step) ? step.toFixed(4) : "";
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
    form.elements.timer_ms.value = clockStep();
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
