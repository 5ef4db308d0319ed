// A study's form as a jsPsych timeline: pictures first, then one question after the other.
"use strict";

(async () => {
  const study = await (await fetch("study.json")).json();
  const asked = Number(new URLSearchParams(location.search).get("form"));
  const chosen = Number.isInteger(asked) && asked >= 1 && asked <= study.forms.length
    ? asked - 1
    : Math.floor(Math.random() * study.forms.length);
  const jsPsych = initJsPsych({
    on_finish: () => {
      const data = jsPsych.data.get().filter({ trial_type: "survey-html-form" });
      document.dispatchEvent(new CustomEvent("study-finished", { detail: data.csv() }));
      data.localSave("csv", study.file);
      const thanks = document.createElement("p");
      thanks.textContent = study.code ? `${study.done} ${study.code}` : study.done;
      const debriefing = document.createElement("div");
      debriefing.innerHTML = study.debriefing;
      jsPsych.getDisplayElement().replaceChildren(thanks, debriefing);
    },
  });
  const form = study.forms[chosen];
  const timeline = [{ type: jsPsychPreload, images: form.flatMap((question) => question.images) }];
  for (const question of form) {
    timeline.push({
      type: jsPsychSurveyHtmlForm,
      html: question.html,
      button_label: study.next,
      data: { form: chosen + 1, item: question.item, kind: question.kind, options_seed: question.options_seed, ...study.facts[chosen] },
    });
  }
  jsPsych.run(timeline);
})();
