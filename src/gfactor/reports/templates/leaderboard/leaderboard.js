// Sorting, filtering, replies, search and comparison. Everything else reads without this script.
// Texts are only ever put in as text (textContent), never as markup.
"use strict";
const board = (() => {
  const root = document.documentElement.dataset.root;
  const digest = document.documentElement.dataset.digest;
  const asked = new Map();
  const got = new Map();

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }
  // Data files are scripts that call this: pages from a disk may load scripts and nothing else.
  function take(name, text) {
    got.get(name)(unpacked(text));
  }
  function load(name) {
    if (!asked.has(name)) {
      asked.set(name, new Promise((resolve, reject) => {
        got.set(name, resolve);
        const script = make("script", { src: `${root}data/${name}.js` });
        script.onerror = () => reject(new Error(`data/${name}.js is missing`));
        document.head.append(script);
      }));
    }
    return asked.get(name);
  }
  function make(tag, values = {}, ...children) {
    const element = Object.assign(document.createElement(tag), values);
    element.append(...children);
    return element;
  }
  function labeled(text, field) {
    return make("label", {}, text, field);
  }
  function options(select, pairs) {
    for (const [value, text] of pairs) select.append(make("option", { value, textContent: text }));
    return select;
  }

  // Tables: a button in every heading sorts; a field above filters.
  const number = (cell) => parseFloat(cell.textContent.replace(/,/g, ""));
  function sort(table, column, button) {
    const heading = button.parentElement;
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const one of table.tHead.rows[0].cells) one.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = heading.classList.contains("n");
    const key = (row) => (numeric ? number(row.cells[column]) : row.cells[column].textContent);
    const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
    rows.sort(([a], [b]) => {
      if (!numeric) return (down ? -1 : 1) * a.localeCompare(b);
      if (isNaN(a) || isNaN(b)) return isNaN(a) - isNaN(b);
      return down ? b - a : a - b;
    });
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }
  function sortable(table) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = make("button", { type: "button" });
      button.append(...cell.childNodes);
      button.addEventListener("click", () => sort(table, column, button));
      cell.append(button);
    });
  }
  function filterable(table) {
    const rows = [...table.tBodies[0].rows];
    const words = make("input", { type: "search" });
    const kinds = [...new Set(rows.map((row) => row.dataset.kind || ""))].filter(Boolean);
    const kind = options(make("select"), [["", "all"], ...kinds.map((k) => [k, k])]);
    if (rows.length < 10 && kinds.length < 2) return;
    const count = make("output", { className: "note" });
    const controls = make("div", { className: "controls" }, labeled("Rows with", words));
    if (kinds.length > 1) controls.append(labeled("Who", kind));
    controls.append(count);
    const apply = () => {
      const wanted = words.value.toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const fits = row.textContent.toLowerCase().includes(wanted) &&
          (!kind.value || row.dataset.kind === kind.value);
        row.hidden = !fits;
        shown += fits;
      }
      count.textContent = shown < rows.length ? `${shown} of ${rows.length} rows` : "";
    };
    words.addEventListener("input", apply);
    kind.addEventListener("change", apply);
    table.parentElement.before(controls);
  }
  function chooseBoards() {
    const sections = [...document.querySelectorAll("section.board")];
    if (sections.length < 2) return;
    const controls = make("div", { className: "controls" });
    const selects = {};
    const apply = () => {
      for (const one of sections) {
        one.hidden = Object.entries(selects).some(([name, s]) => s.value && one.dataset[name] !== s.value);
      }
    };
    for (const [name, text] of [["benchmark", "Benchmark"], ["condition", "Condition"]]) {
      const values = [...new Set(sections.map((one) => one.dataset[name]))];
      if (values.length < 2) continue;
      selects[name] = options(make("select"), [["", "all"], ...values.map((v) => [v, v])]);
      selects[name].addEventListener("change", apply);
      controls.append(labeled(text, selects[name]));
    }
    sections[0].before(controls);
  }

  // Replies of an item that stand in a data file, and the search over all of them.
  const MARKS = { "1": "right", "0": "wrong", "-1": "not counted" };
  function reply([before, read, after, , , cut]) {
    const pre = make("pre", {}, before);
    if (read) pre.append(make("mark", { textContent: read }));
    pre.append(after);
    const size = before.length + read.length + after.length;
    const parts = [size > 4000 ? make("details", {}, make("summary", { textContent: `${size.toLocaleString("en")} characters` }), pre) : pre];
    const missing = cut < 0 ? "The reply is left out." : `${cut.toLocaleString("en")} characters left out.`;
    if (cut) parts.push(make("p", { className: "note", textContent: missing }));
    return parts;
  }
  function given([entries, steps, places]) {
    let run = 0;
    return steps.map((step, k) => [(run += step), entries[places[k]]]);
  }
  function link(href, text) {
    return make("a", { href: root + href, textContent: text });
  }
  function row(...cells) {
    return make("tr", {}, ...cells.map((cell, k) => {
      const made = make(k ? "td" : "th");
      if (!k) made.scope = "row";
      made.append(...[cell].flat());
      return made;
    }));
  }
  function table(name, ...headings) {
    const made = make("table", { className: "grid replies" });
    const head = made.createTHead().insertRow();
    for (const text of headings) {
      const heading = make("th", { textContent: text });
      heading.scope = "col";
      head.append(heading);
    }
    made.createTBody();
    const region = make("div", { className: "scroll" }, made);
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", name);
    return [made, region];
  }
  async function replies(place) {
    const [names, shard] = await Promise.all([load("names"), load(place.dataset.shard)]);
    const [made, region] = table("Replies", "examinee", "came to", "reply");
    for (const [run, entry] of given(shard[place.dataset.item] || [[], [], []])) {
      const cells = row(link(`models/${names.pages[run]}`, names.runs[run]), entry[3], reply(entry));
      cells.cells[1].className = `m${entry[4]}`;
      made.tBodies[0].append(cells);
    }
    sortable(made);
    place.replaceChildren(region);
    filterable(made);
  }
  // On a page of several items: the one that the address names, or a button for each.
  function itemsOf(sections, failed) {
    const wanted = location.hash.slice(1);
    const one = sections.length === 1 ? sections[0] : sections.find((s) => s.id === wanted);
    for (const section of sections) {
      section.hidden = one !== undefined && section !== one;
      const place = section.querySelector("div.replies");
      if (!place || place.firstChild) continue;
      if (section === one) replies(place).catch(failed);
      else {
        const button = make("button", { type: "button", textContent: "Show the replies" });
        button.addEventListener("click", () => replies(place).catch(failed));
        place.append(make("div", { className: "controls" }, button));
      }
    }
  }
  async function search(place) {
    const words = make("input", { type: "search", id: "words" });
    const where = options(make("select"), [["reply", "in the reply"], ["why", "in what it came to"]]);
    const mark = options(make("select"), [["", "all"], ...Object.entries(MARKS)]);
    const unread = make("input", { type: "checkbox" });
    const button = make("button", { type: "submit", textContent: "Search" });
    const status = make("p", { className: "note" });
    status.setAttribute("role", "status");
    const results = make("div");
    const form = make("form", { className: "controls" }, labeled("Words", words),
      labeled("Where", where), labeled("Came to", mark), labeled("No answer read", unread), button);
    place.replaceChildren(form, status, results);
    const names = await load("names");
    const shards = place.dataset.shards ? place.dataset.shards.split(" ") : [];
    let search = 0;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const own = ++search;
      const wanted = words.value.toLowerCase();
      const [made, region] = table("Replies found", "item", "examinee", "came to", "reply");
      results.replaceChildren(region);
      let found = 0;
      const fits = (entry) => (mark.value === "" || String(entry[4]) === mark.value) &&
        (!unread.checked || / no answer was read| no rule read an answer| no answer could be read|^not counted/.test(entry[3])) &&
        (where.value === "why" ? entry[3] : entry[0] + entry[1] + entry[2]).toLowerCase().includes(wanted);
      for (const [k, shard] of shards.entries()) {
        const held = await load(shard);
        if (own !== search) return;
        for (const [item, cell] of Object.entries(held)) {
          if (!cell[0].some(fits)) continue;
          for (const [run, entry] of given(cell)) {
            if (!fits(entry) || ++found > 200) continue;
            const cells = row(link(`items/${names.itemPages[item]}`, names.items[item]),
              link(`models/${names.pages[run]}`, names.runs[run]), entry[3], reply(entry));
            cells.cells[2].className = `m${entry[4]}`;
            made.tBodies[0].append(cells);
          }
        }
        status.textContent = `${found.toLocaleString("en")} replies found` +
          (found > 200 ? ", the first 200 are here" : "") + (k + 1 < shards.length ? " ..." : ".");
      }
      status.dataset.done = own;
    });
    words.focus({ preventScroll: true });
  }

  // Two models: the difference was computed with the site, nothing is estimated here.
  const points = (value) => (value === null ? "-" : (value / 10).toFixed(1));
  async function compare(place) {
    const names = await load("names");
    const titles = place.dataset.titles.split("|");
    const numbers = place.dataset.boards.split(" ");
    const which = options(make("select"), numbers.map((n, k) => [n, titles[k]]));
    const [first, second] = [make("select"), make("select")];
    const told = make("div");
    told.setAttribute("role", "status");
    place.append(make("div", { className: "controls" }, labeled("Board", which),
      labeled("First", first), labeled("Second", second)), told);
    const wanted = () => new URLSearchParams(location.hash.slice(1));
    let pairs;
    async function choose() {
      pairs = await load(`pairs-${which.value}`);
      for (const [select, key, other] of [[first, "a", 0], [second, "b", 1]]) {
        select.replaceChildren();
        options(select, pairs.runs.map((run) => [names.pages[run], names.runs[run]]));
        const page = wanted().get(key);
        select.selectedIndex = Math.max(0, pairs.runs.findIndex((run) => names.pages[run] === page));
        if (page === null || select.selectedIndex < 0) select.selectedIndex = Math.min(other, pairs.runs.length - 1);
      }
      if (first.value === second.value) second.selectedIndex = first.selectedIndex ? 0 : 1;
      await show();
    }
    async function show() {
      const [i, j] = [first.selectedIndex, second.selectedIndex];
      const k = pairs.runs.length;
      told.replaceChildren();
      history.replaceState(null, "", `#${new URLSearchParams({ board: which.value, a: first.value, b: second.value })}`);
      if (i === j) return;
      const [a, b] = i < j ? [i, j] : [j, i];
      const at = a * k - (a * (a + 1)) / 2 + b - a - 1;
      const [estimate, low, high, p, n, wins, losses] = pairs.columns.map((c) => c[at]);
      const [d, l, h] = i < j ? [estimate, low, high] : [-estimate, high === null ? null : -high, low === null ? null : -low];
      const [better, worse] = i < j ? [wins, losses] : [losses, wins];
      const sure = p !== null && p < 500;
      told.append(make("p", { id: "difference", textContent:
        `${first.selectedOptions[0].text} - ${second.selectedOptions[0].text}: ${points(d)} points ` +
        `[${points(l)}, ${points(h)}] on ${n} items, better on ${better}, worse on ${worse}; ` +
        `p (Holm) ${p === null ? "unknown" : p < 10 ? "< .001" : (p / 10000).toFixed(3).replace(/^0/, "")}. ` +
        (sure ? "The direction may be believed." : "Which one is better is not decided.") }));
      const [marks, mine, theirs] = [await load("marks"), pairs.runs[i], pairs.runs[j]];
      const apart = [[], []];
      for (const item of pairs.items) {
        const [x, y] = [marks[mine][item], marks[theirs][item]];
        if (x !== y && x !== "-" && y !== "-") apart[x > y ? 0 : 1].push(item);
      }
      [first, second].forEach((select, side) => {
        const list = make("ul");
        for (const item of apart[side].slice(0, 100)) list.append(make("li", {}, link(`items/${names.itemPages[item]}`, names.items[item])));
        const more = apart[side].length > 100 ? ", the first 100" : "";
        told.append(make("details", { open: apart[side].length <= 30 }, make("summary", { textContent:
          `Better: ${select.selectedOptions[0].text} (${apart[side].length} items${more})` }), list));
      });
    }
    async function fromAddress() {
      if (numbers.includes(wanted().get("board"))) which.value = wanted().get("board");
      await choose();
    }
    addEventListener("hashchange", async () => {
      await fromAddress();
      place.scrollIntoView();
    });
    which.addEventListener("change", choose);
    first.addEventListener("change", show);
    second.addEventListener("change", show);
    await fromAddress();
  }

  // A link made for another state of the journal says so; a served page follows its journal.
  function notice(text, href, label) {
    document.querySelector("#notice")?.remove();
    const told = make("p", { id: "notice", className: "notice", textContent: `${text} ` });
    told.setAttribute("role", "status");
    if (href) told.append(make("a", { href, textContent: label }));
    document.querySelector("main").prepend(told);
  }
  async function follow() {
    try {
      const now = await (await fetch(`${root}state.json`)).json();
      if (now.digest !== digest) {
        const busy = [...document.querySelectorAll("input, select")].some((field) => field.value);
        if (document.documentElement.dataset.live === undefined || busy || scrollY > 200) {
          notice(`The journal has grown: ${now.answers.toLocaleString("en")} answers.`, location.href, "Show them");
        } else location.reload();
      }
    } catch { return; }
    setTimeout(follow, 3000);
  }
  function start() {
    for (const one of document.querySelectorAll("table.grid")) {
      sortable(one);
      filterable(one);
    }
    chooseBoards();
    const failed = (error) => notice(error.message);
    const sections = [...document.querySelectorAll("section.item")];
    if (sections.length) {
      itemsOf(sections, failed);
      addEventListener("hashchange", () => {
        if (document.getElementById(location.hash.slice(1))?.matches("section.item")) location.reload();
      });
    }
    for (const [id, act] of [["search", search], ["compare", compare]]) {
      const place = document.getElementById(id);
      if (place) act(place).catch(failed);
    }
    const meant = new URLSearchParams(location.search).get("journal");
    if (meant && meant !== digest) {
      notice(`This link was made for journal ${meant}; the page shows ${digest}.`);
    }
    if (location.protocol.startsWith("http")) follow();
  }
  addEventListener("DOMContentLoaded", start);
  return { take };
})();
