// Pictures, sounds and films that are fetched as a whole before they begin.
"use strict";

const fetching = {
  pause(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  },

  // The file at a path, tried until the server can be reached; null if it does not send it, or if
  // the question of this form is not shown any more.
  async blob(path, form) {
    const status = document.getElementById("status");
    for (;;) {
      try {
        const reply = await fetch(path);
        const data = reply.ok ? await reply.blob() : null;
        if (data !== null) {
          if (status.textContent === form.dataset.resend) status.textContent = "";
          return data;
        }
        if (reply.status < 500 && reply.status !== 429) return null;
      } catch { /* the server cannot be reached: try again */ }
      if (!form.isConnected) return null;
      status.textContent = form.dataset.resend;
      await fetching.pause(1000);
    }
  },
};
