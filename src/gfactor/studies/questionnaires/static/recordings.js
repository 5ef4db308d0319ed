// The sound or film of a page: the browser's own player, and word to the server when it begins and
// ends. One that is played once is fetched as a whole before it begins, since the server sends it no
// more after that.
"use strict";

(() => {
  const part = document.getElementById("part");

  function facts(player) {
    const played = player.played.length ? player.played.end(player.played.length - 1) - player.played.start(0) : 0;
    const round = (value) => (Number.isFinite(value) ? Number(value.toFixed(3)) : null);
    return JSON.stringify({ duration_s: round(player.duration), played_s: round(played), volume: round(player.volume), muted: player.muted ? 1 : 0 });
  }

  // Tell the server of an event until it has heard it; whether it noted it.
  async function report(box, form, event, player) {
    const body = new URLSearchParams({ form_token: form.elements.form_token.value, position: form.elements.position.value, event, facts: facts(player) });
    for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
      try {
        const reply = await fetch(box.dataset.report, { method: "POST", body, keepalive: true });
        if (reply.status < 500 && reply.status !== 429) return reply.status === 204;
      } catch { /* the server cannot be reached: try again */ }
      if (!form.isConnected) return false;
      await fetching.pause(wait);
    }
  }

  // Events in the order in which they happened, one after the other.
  function reporter(box, form, player) {
    let last = Promise.resolve();
    return (event) => {
      last = last.then(() => report(box, form, event, player));
      return last;
    };
  }

  // Browsers draw captions over films alone: those of a sound stand below its player.
  function showCaptions(box, player) {
    const caption = box.querySelector("#caption");
    const track = player.textTracks[0];
    if (!caption || !track) return;
    track.mode = "hidden";
    track.addEventListener("cuechange", () => {
      caption.textContent = [...track.activeCues].map((cue) => cue.getCueAsHTML().textContent).join("\n");
    });
  }

  // Played as often as wanted: each time that it begins from its start counts.
  function playFreely(box, player, tell) {
    let running = false;
    player.addEventListener("playing", () => {
      if (!running || player.currentTime < 0.3) tell("begin");
      running = true;
    });
    player.addEventListener("ended", () => { running = false; tell("end"); });
    // Where the browser does not let it begin by itself, its controls are there.
    if (box.hasAttribute("data-autoplay")) player.play().catch(() => {});
  }

  async function playOnce(box, form, player, tell, note) {
    const button = box.querySelector("#play");
    const data = await fetching.blob(box.dataset.source, form);
    if (!form.isConnected) return;
    if (data === null) { note.textContent = box.dataset.failed; return; }
    const address = URL.createObjectURL(data);
    let furthest = 0;
    const begin = async () => {
      button.disabled = true;
      if (!await tell("begin")) { note.textContent = box.dataset.over; button.hidden = true; return; }
      button.hidden = true;
      player.hidden = false;
      player.controls = true;
      player.play().catch(() => {});
    };
    player.addEventListener("timeupdate", () => { if (!player.seeking) furthest = Math.max(furthest, player.currentTime); });
    // Neither back nor ahead: what was heard is heard once, and all of it.
    player.addEventListener("seeking", () => { if (Math.abs(player.currentTime - furthest) > 0.3) player.currentTime = furthest; });
    player.addEventListener("ratechange", () => { if (player.playbackRate !== 1) player.playbackRate = 1; });
    player.addEventListener("ended", () => {
      tell("end");
      player.remove();
      URL.revokeObjectURL(address);
      note.textContent = box.dataset.over;
    });
    player.addEventListener("loadeddata", () => {
      button.disabled = false;
      if (box.hasAttribute("data-autoplay") && navigator.userActivation?.hasBeenActive) begin();
    }, { once: true });
    button.addEventListener("click", begin);
    player.src = address;
  }

  part.addEventListener("question-shown", (event) => {
    const form = event.detail;
    const box = form.querySelector("#recording");
    const player = box?.querySelector("audio, video");
    if (!box || !player || box.hasAttribute("data-begun")) return;
    const tell = reporter(box, form, player);
    const note = box.querySelector("#media-note");
    player.addEventListener("error", () => { note.textContent = box.dataset.failed; });
    showCaptions(box, player);
    if (box.hasAttribute("data-once")) playOnce(box, form, player, tell, note);
    else playFreely(box, player, tell);
  });
})();
