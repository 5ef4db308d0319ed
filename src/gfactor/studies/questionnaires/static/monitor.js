// The owner's view stays up to date while it can be seen.
"use strict";

const monitor = document.getElementById("monitor");

setInterval(async () => {
  if (document.hidden || monitor.contains(document.activeElement)) return;
  try {
    const reply = await fetch(monitor.dataset.source);
    if (reply.ok && !reply.redirected) monitor.innerHTML = await reply.text();
  } catch { /* shown again when the server is back */ }
}, 5000);
