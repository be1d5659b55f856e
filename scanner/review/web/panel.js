// The review panel: one module for the served page and for JupyterLab. It talks to the desk by messages {id, act, args}
// and {id, reply}. Everything read from a sheet is put in as text, never as markup.

const SHOWN = { "": "(empty)", "-": "–  zero line", XX: "XX  set", W: "W  won" };
const RULINGS = {
  written: ["Keep as written", "The paper counts as it stands.", "k"],
  corrected: ["Correct it", "The score as it should be counts from now on.", "c"],
  captains: ["Ask the captains", "The written score counts until they have answered.", "a"],
};
const MARKS = { "": "In the season", duplicate: "Photographed twice", "not-a-sheet": "Not a score sheet", again: "To be photographed again" };
const KEPT_PICTURES = 8;
const POLL_MS = 3000;

const shown = (text) => SHOWN[text] ?? text;
const fileName = (path) => path.split(/[\\/]/).pop();
const percent = (p) => (p === null || p === undefined ? "" : p > 0.995 ? "over 99 %" : p < 0.005 ? "under 1 %" : `${Math.round(p * 100)} %`);

function h(tag, attributes = {}, ...children) {
  const svg = ["svg", "polygon", "circle", "title"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const points = (quad, scale = 1) => quad.map(([x, y]) => `${x * scale},${y * scale}`).join(" ");

class Panel {
  constructor(model, el) {
    this.model = model;
    this.waiting = new Map();
    this.count = 0;
    this.skipped = [];
    this.pictures = new Map();
    this.by = "";
    this.view = "questions";
    this.busy = false;
    model.on("msg:custom", ({ id, reply }) => {
      this.waiting.get(id)?.(reply);
      this.waiting.delete(id);
    });
    this.body = h("div", { class: "body" });
    this.alert = h("div", { class: "alert", role: "alert" });
    this.said = h("p", { class: "said", role: "status", "aria-live": "polite" });
    this.nav = h("nav", { "aria-label": "Parts of the review" });
    this.dialog = keysDialog();
    this.root = h("div", { class: "clabber-review", "data-lm-suppress-shortcuts": "true" }, this.nav, this.alert, this.said, this.body, this.dialog);
    el.append(this.root);
    (model.page ? document : this.root).addEventListener("keydown", (event) => this.key(event));
  }

  ask(act, args = {}) {
    const id = ++this.count;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.model.send({ id, act, args });
    });
  }

  async begin() {
    this.hello = await this.ask("hello");
    if (this.hello.error) return this.complain(this.hello.error);
    this.by = this.hello.by;
    this.drawNav();
    if (this.by) await this.questions();
    else this.askName();
    this.timer = setInterval(() => this.poll(), POLL_MS);
    return undefined;
  }

  // --- the frame around all views

  drawNav() {
    const views = { questions: "Questions", sheets: "Sheets", alikes: "Look-alikes", summary: "Summary" };
    const current = this.view === "sheet" ? "sheets" : this.view;
    this.nav.replaceChildren(
      ...Object.entries(views).map(([view, name]) => h("button", { "aria-current": current === view ? "page" : null, "data-view": view, onclick: () => this[view]() }, name)),
      h("button", { onclick: () => this.dialog.showModal(), "aria-keyshortcuts": "?" }, "Keys ?"),
      h("span", { class: "who" }, this.by ? `You are ${this.by}. ` : "", h("button", { onclick: () => this.askName() }, this.by ? "Somebody else" : "Your name")),
    );
  }

  show(view, ...children) {
    this.view = view;
    this.complain("");
    this.say("");
    this.drawNav();
    this.body.replaceChildren(...children.flat().filter(Boolean));
  }

  complain(message) {
    this.alert.replaceChildren(message || "");
  }

  say(message) {
    this.said.textContent = message;
  }

  askName() {
    const input = h("input", { id: "clabber-name", maxlength: 40, autocomplete: "name", value: this.by });
    const go = (event) => {
      event.preventDefault();
      if (!input.value.trim()) return;
      this.by = input.value.trim();
      this.questions();
    };
    this.show("name", h("h1", {}, "Who is answering?"), h("p", {}, "Every answer keeps the name of who gave it."),
      h("form", { class: "bar", onsubmit: go }, h("label", { for: "clabber-name" }, "Your name"), input, h("button", { class: "main" }, "Begin")));
    input.focus();
  }

  async poll() {
    if (this.busy || this.polling) return undefined;
    this.polling = true;
    const reply = await this.ask("version");
    this.polling = false;
    if (reply.offline) return this.complain(reply.error);
    if (this.offline) { this.offline = false; this.complain(""); }
    if (reply.error || this.busy || reply.version === this.version) return undefined;
    const first = this.version === undefined;
    this.version = reply.version;
    if (first) return undefined;
    if (this.view === "questions" && !this.typed()) await this.refresh();
    else if (this.view === "sheets") await this.sheets();
    return undefined;
  }

  /** Sends a decision; true if it was written. Knows the three ways it may not be. */
  async decide(act, args) {
    if (this.busy) return null;
    this.busy = true;
    this.root.setAttribute("aria-busy", "true");
    const reply = await this.ask(act, { ...args, by: this.by });
    this.busy = false;
    this.root.removeAttribute("aria-busy");
    if (reply.error) this.complain(reply.error);
    else this.complain("");
    if (reply.version) this.version = reply.version;
    return reply.error ? null : reply;
  }

  // --- questions

  async questions(sheet = null) {
    this.within = sheet;
    const state = await this.ask("next", { skipped: this.skipped, sheet });
    if (state.error) return this.complain(state.error);
    this.version = state.version;
    return this.drawState(state);
  }

  async refresh() {
    const state = await this.ask("next", { skipped: this.skipped, sheet: this.within });
    if (state.error || this.busy) return;
    const same = this.state && this.state.item && state.item && this.state.item.place === state.item.place && this.state.item.seen === state.item.seen;
    if (same) this.drawProgress(state);
    else {
      this.drawState(state);
      this.say("The season was changed in another window; this is the question now.");
    }
  }

  drawState(state) {
    this.state = state;
    const item = state.item;
    this.progress = h("div", { class: "progress" });
    this.drawProgress(state);
    if (!item) return this.drawDone(state);
    // A name that was not read has no guess: nothing is chosen, so that Enter alone gives nobody a wrong name.
    this.choice = item.choices.findIndex((choice) => choice.text === item.guess && item.guess !== null);
    this.guessed = this.choice;
    const draw = { cell: () => this.cellQuestion(item), head: () => this.headQuestion(item), ruling: () => this.rulingQuestion(item) }[item.kind];
    this.show("questions", this.progress, draw());
    this.choose(this.choice);
    this.noting = false;
    this.offered = null;
    this.input?.focus({ preventScroll: true });
    if (this.model.page) window.scrollTo(0, 0);
    this.loadPictures(item.place, this.figures);
    if (state.then) this.picture(state.then);
    return undefined;
  }

  drawProgress(state) {
    const done = Math.max(0, state.of - state.questions);
    this.progress.replaceChildren(...[
      h("strong", {}, state.questions === 1 ? "1 question left" : `${state.questions} questions left`),
      h("span", {}, state.sheets === 1 ? "on 1 sheet" : `on ${state.sheets} sheets`),
      h("progress", { max: Math.max(1, state.of), value: done, "aria-label": "Questions answered" }),
      state.seconds_a_sheet ? h("span", {}, `${Math.round(state.seconds_a_sheet)} seconds a sheet`) : null,
      state.skipped ? h("button", { onclick: () => { this.skipped = []; this.questions(); } }, `Show ${state.skipped} skipped`) : null,
      h("button", { onclick: () => this.undo(), "aria-keyshortcuts": "U" }, "Undo (U)"),
    ].filter(Boolean));
  }

  drawDone(state) {
    const text = state.questions ? `Everything else is answered; ${state.questions} skipped.` : "All questions are answered.";
    this.input = null;
    this.show("questions", this.progress, h("h1", {}, "Done"), h("p", { class: "why" }, text),
      h("div", { class: "bar" }, h("button", { class: "main", id: "to-summary", onclick: () => this.summary() }, "See what changed"),
        h("button", { onclick: () => this.sheets() }, "All sheets")));
    this.body.querySelector("#to-summary").focus();
    this.say(text);
  }

  heading(item) {
    const where = item.row ? `Hand ${item.row}, ${item.name}` : item.kind === "ruling" ? "The paper is wrong" : item.name[0].toUpperCase() + item.name.slice(1);
    const teams = item.teams.we || item.teams.they ? `${item.teams.we || "?"} – ${item.teams.they || "?"}` : "Teams not known yet";
    return [h("h1", {}, where), h("p", { class: "hint" }, `${teams} · ${fileName(item.photo)} `,
      h("button", { onclick: () => this.sheet(item.sheet) }, "Whole sheet"))];
  }

  choiceList(item, label) {
    const list = item.choices.map((choice, index) => h("li", {}, h("button", { "data-index": index, "aria-pressed": "false", tabindex: -1,
      onclick: () => { this.choose(index); this.accept(); } }, label(choice))));
    return h("ol", { class: "choices", "aria-label": "Possible answers; the arrow keys choose, Enter accepts" }, list);
  }

  cellQuestion(item) {
    if (!item.choices.some((choice) => choice.text === "")) item.choices.push({ text: "", chance: null, why: null });
    this.input = h("input", { class: "answer", id: "clabber-answer", inputmode: "numeric", autocomplete: "off", maxlength: 4, "aria-label": `What is written in ${item.name}? Type it, or choose with the arrow keys`, oninput: () => this.choose(-1) });
    this.figures = h("div", {});
    return h("section", { class: "asks", "data-asks": item.place, "aria-label": "Question" },
      h("div", {}, this.heading(item), this.figures),
      h("div", {}, h("p", { class: "why" }, item.why),
        this.choiceList(item, (choice) => [h("span", { class: "text" }, shown(choice.text)), h("span", {}, percent(choice.chance)), choice.why ? h("span", { class: "hint" }, choice.why) : null]),
        h("label", { class: "field", for: "clabber-answer" }, "or type what is written"), this.input, this.buttons(),
        h("p", { class: "hint" }, h("kbd", {}, "Enter"), " accept  ", h("kbd", {}, "↑ ↓"), " choose  ", h("kbd", {}, "X"), " set  ", h("kbd", {}, "-"), " zero  ", h("kbd", {}, "Tab"), " skip  ", h("kbd", {}, "U"), " undo  ", h("kbd", {}, "?"), " keys")));
  }

  headQuestion(item) {
    const isDate = item.name === "date";
    this.input = h("input", { class: "answer", id: "clabber-answer", autocomplete: "off", maxlength: 80, type: "text", placeholder: isDate ? "2026-03-07" : "", "aria-label": isDate ? "Date, as year-month-day" : item.name, oninput: () => this.offer(item) });
    this.figures = h("div", {});
    return h("section", { class: "asks", "data-asks": item.place, "aria-label": "Question" },
      h("div", {}, this.heading(item), this.figures),
      h("div", {}, h("p", { class: "why" }, item.why),
        h("div", { class: "offered" }, this.headChoices(item)),
        h("label", { class: "field", for: "clabber-answer" }, `${item.choices.length ? "or type" : "Type"} ${isDate ? "the date, year-month-day" : "the name"}`), this.input, this.buttons(),
        h("p", { class: "hint" }, h("kbd", {}, "Enter"), " accept  ", h("kbd", {}, "↑ ↓"), " choose  ", h("kbd", {}, "Tab"), " skip  ", h("kbd", {}, "Ctrl Z"), " undo")));
  }

  headChoices(item) {
    return this.choiceList(item, (choice) => [h("span", { class: "text" }, choice.text), h("span", {}, percent(choice.chance))]);
  }

  /** Known names that begin with what is being typed, so that one team is spelt one way and few letters are typed. */
  offer(item) {
    const typed = this.input.value.trim().toLowerCase();
    const known = (item.known ?? []).filter((name) => typed && name.toLowerCase().startsWith(typed));
    this.offered = this.offered ?? item.choices;
    item.choices = typed ? known.slice(0, 5).map((text) => ({ text, chance: null })) : this.offered;
    this.body.querySelector(".offered").replaceChildren(this.headChoices(item));
    this.choose(typed ? -1 : this.guessed);
  }

  rulingQuestion(item) {
    this.input = h("input", { id: "clabber-answer", maxlength: 300, autocomplete: "off", "aria-label": "Why, or what was agreed (may be left empty)" });
    this.figures = h("div", {});
    const row = (name, score) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, String(score.we ?? "?")), h("td", { class: "number" }, String(score.they ?? "?")), h("td", {}, score.winner || "nobody yet"));
    return h("section", { class: "asks", "data-asks": item.place, "aria-label": "Question" },
      h("div", {}, this.heading(item), this.figures),
      h("div", {}, h("p", { class: "why" }, item.why),
        h("ul", { class: "problems" }, item.problems.map((p) => h("li", {}, `${p.message} `, h("strong", {}, p.consequence)))),
        h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Score"), h("th", { class: "number" }, item.teams.we || "We"), h("th", { class: "number" }, item.teams.they || "They"), h("th", {}, "Winner"))),
          h("tbody", {}, row("as written", item.scores.written), row("corrected", item.scores.corrected)))),
        h("p", {}),
        this.choiceList(item, (choice) => [h("span", { class: "text" }, RULINGS[choice.text][0]), h("span", { class: "hint" }, `${RULINGS[choice.text][1]} (${RULINGS[choice.text][2].toUpperCase()})`)]),
        h("label", { class: "field", for: "clabber-answer" }, "Note: why, or what was agreed (N)"), this.input, this.buttons()));
  }

  buttons() {
    return h("div", { class: "bar" }, h("button", { class: "main", onclick: () => this.accept() }, "Accept"), h("button", { onclick: () => this.skip() }, "Skip"));
  }

  choose(index) {
    this.choice = index;
    for (const button of this.body.querySelectorAll("ol.choices button")) button.setAttribute("aria-pressed", String(Number(button.dataset.index) === index));
  }

  typed() {
    return this.view === "questions" && this.input ? this.input.value : "";
  }

  async accept() {
    const item = this.state?.item;
    if (!item || this.view !== "questions") return;
    const ruling = item.kind === "ruling";
    const text = ruling || !this.input.value.trim() ? item.choices[this.choice]?.text : this.input.value.trim();
    if (text === undefined || (item.kind === "head" && !text)) {
      this.complain("Type an answer, choose one with the arrow keys, or skip with Tab.");
      return;
    }
    const note = ruling && this.input.value.trim() ? this.input.value.trim() : null;
    await this.send(item, text, item.seen, note);
  }

  async send(item, text, seen, note) {
    const reply = await this.decide("answer", { place: item.place, text, seen, note, skipped: this.skipped, sheet: this.within });
    if (!reply) return;
    if (reply.overtaken) {
      this.overtaken(item, text, note, reply.overtaken);
      return;
    }
    this.drawState(reply);
    this.say(`Saved: ${RULINGS[text]?.[0] ?? shown(text)}. ${reply.questions} left.`);
  }

  overtaken(item, text, note, other) {
    const theirs = other.text === null ? "opened this question again" : `answered “${RULINGS[other.text]?.[0] ?? shown(other.text)}”`;
    this.complain("");
    this.alert.append(`${other.by} has ${theirs} in the meantime. `,
      h("button", { onclick: () => this.questions(this.within) }, "Leave it so"), " ",
      h("button", { onclick: () => this.send(item, text, other.seen, note) }, `Record mine, “${RULINGS[text]?.[0] ?? shown(text)}”, as a second opinion`));
    this.alert.querySelector("button").focus();
  }

  async skip() {
    if (!this.state?.item) return;
    this.skipped.push(this.state.item.place);
    await this.questions(this.within);
    if (this.state.item) this.say("Skipped.");
  }

  async undo() {
    const reply = await this.decide("undo", { skipped: this.skipped, sheet: this.within });
    if (!reply) return;
    this.skipped = this.skipped.filter((place) => place !== reply.undone);
    if (this.view === "sheet") await this.sheet(this.open.sheet);
    else this.drawState(reply);
    this.say(reply.undone ? "Taken back." : "There is nothing of yours to take back.");
  }

  key(event) {
    if (event.defaultPrevented || this.dialog.open) return;
    if (!this.model.page) event.stopPropagation();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.value) {
      event.preventDefault();
      this.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || this.view !== "questions") return;
    if (!this.state?.item) {
      if (event.key.toLowerCase() === "u" && event.target.tagName !== "INPUT") { event.preventDefault(); this.undo(); }
      return;
    }
    const item = this.state.item;
    const typing = event.target === this.input;
    const elsewhere = !typing && ["INPUT", "SELECT", "BUTTON", "TEXTAREA"].includes(event.target.tagName);
    if (elsewhere) return;
    const act = this.actions(item)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const freely = typing && (item.kind === "head" || (item.kind === "ruling" && this.noting)) && event.key.length === 1;
    if (act && !freely && !(event.key === "Tab" && event.shiftKey)) {
      event.preventDefault();
      act();
    } else if (!typing && event.key.length === 1) this.input.focus();
    else if (typing && item.kind === "ruling" && event.key.length === 1 && !this.noting) event.preventDefault();
    else if (typing && item.kind === "cell" && event.key.length === 1 && !/\d/.test(event.key)) event.preventDefault();
  }

  actions(item) {
    const step = (by) => () => { if (!item.choices.length) return; if (this.input && item.kind !== "ruling") this.input.value = ""; this.choose((this.choice + by + item.choices.length + (this.choice < 0 && by < 0 ? 1 : 0)) % item.choices.length); };
    const common = { Enter: () => this.accept(), Tab: () => this.skip(), ArrowDown: step(1), ArrowUp: step(-1), u: () => this.undo(), "?": () => this.dialog.showModal(), Escape: () => this.escape() };
    if (item.kind === "cell") {
      const put = (text) => () => { this.input.value = text; this.choose(-1); };
      return { ...common, x: put("XX"), "-": put("-"), w: put("W") };
    }
    if (item.kind === "ruling") {
      const pick = (index) => () => this.choose(index);
      return { ...common, k: pick(0), c: pick(1), a: pick(2), n: () => { this.noting = true; this.input.focus(); } };
    }
    return common;
  }

  escape() {
    this.noting = false;
    if (this.input) this.input.value = "";
    if (this.state.item.kind === "head") this.offer(this.state.item);
    this.choose(this.guessed);
  }

  // --- pictures

  picture(place) {
    if (!this.pictures.has(place)) {
      this.pictures.set(place, this.ask("picture", { place }));
      if (this.pictures.size > KEPT_PICTURES) this.pictures.delete(this.pictures.keys().next().value);
    }
    return this.pictures.get(place);
  }

  async loadPictures(place, into) {
    const pictures = await this.picture(place);
    if (pictures.error || pictures.missing) this.pictures.delete(place);
    if (pictures.missing) return into.replaceChildren(this.missing(pictures.missing.photo, () => this.loadPictures(place, into)));
    if (pictures.error) return into.replaceChildren(h("p", {}, pictures.error));
    const parts = [];
    if (pictures.head) parts.push(figure(pictures.head, "head", "The head of the sheet"));
    if (pictures.rows) parts.push(figure(pictures.rows, "rows", pictures.cell ? "The row and what is above it" : "The whole game"));
    if (pictures.cell) parts.push(figure(pictures.cell, "cell", "The cell"));
    if (!parts.length) parts.push(h("p", {}, "This sheet was typed; there is no photo."));
    return into.replaceChildren(...parts);
  }

  missing(photo, again) {
    const input = h("input", { id: "clabber-folder", "aria-label": "Folder of the photos" });
    const look = async (event) => {
      event.preventDefault();
      const reply = await this.ask("folder", { path: input.value });
      if (reply.error) this.complain(reply.error);
      else { this.complain(""); again(); }
    };
    return h("form", { onsubmit: look }, h("p", {}, `The photo ${photo} is not where it was when it was scanned, or has changed. You can answer without it, or name the folder it is in now.`),
      h("div", { class: "bar" }, h("label", { for: "clabber-folder" }, "Folder"), input, h("button", {}, "Look there")));
  }

  // --- all sheets

  async sheets() {
    const reply = await this.ask("sheets");
    if (reply.error) return this.complain(reply.error);
    this.version = reply.version;
    const line = (s) => (s.sheet
      ? h("tr", {}, h("td", { class: "number" }, String(s.number)), h("td", {}, `${s.teams.we || "?"} – ${s.teams.they || "?"}`), h("td", {}, s.date || "no date"), h("td", { title: s.photo }, fileName(s.photo)),
        h("td", { class: "number" }, s.open ? `? ${s.open}` : "✓ 0"), h("td", { class: "number" }, String(s.problems)), h("td", {}, s.mark ? MARKS[s.mark] : ""),
        h("td", {}, h("button", { "aria-label": `Open sheet ${s.number}`, onclick: () => this.sheet(s.sheet) }, "Open"), s.open && !s.mark ? h("button", { onclick: () => this.questions(s.sheet) }, "Ask") : null))
      : h("tr", {}, h("td", {}, "✗"), h("td", { colspan: 7 }, s.error)));
    const head = ["No.", "Teams", "Date", "Photo", "Questions", "Slips", "Set aside", ""].map((name) => h("th", { scope: "col" }, name));
    const parts = [h("h1", {}, "All sheets"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, reply.sheets.map(line))))];
    return this.show("sheets", parts, this.disagreeing(reply.disagreements));
  }

  disagreeing(list) {
    if (!list.length) return null;
    const say = (text) => RULINGS[text]?.[0] ?? MARKS[text || null] ?? shown(text);
    return h("section", {}, h("h2", {}, "Two people disagree"), h("ul", {}, list.map((d) => h("li", {}, `${d.where}: ${d.by} says ${say(d.text)} (this counts), ${d.other} said ${say(d.other_text)}. `,
      h("button", { onclick: () => this.sheet(d.cell_id.split("/").slice(0, 2).join("/"), d.cell_id) }, "Look")))));
  }

  // --- one sheet

  async sheet(id, place = null) {
    const reply = await this.ask("sheet", { sheet: id });
    if (reply.error) return this.complain(reply.error);
    const old = this.open?.sheet === id ? this.open : { zoom: 0, turn: 0, photo: null, placed: false };
    this.open = { ...reply, zoom: old.zoom, turn: old.turn, photo: old.photo, moving: null, placed: false };
    this.moving = h("div", {});
    this.stage = h("div", { class: "stage", tabindex: 0, role: "group", "aria-label": "Photo of the sheet" });
    this.editor = h("div", {});
    this.show("sheet", h("h1", {}, `${reply.teams.we || "?"} – ${reply.teams.they || "?"}`), h("p", { class: "hint" }, fileName(reply.photo)), this.heads(reply), this.editor,
      h("div", { class: "beside" }, h("div", {}, reply.typed ? h("p", {}, "This sheet was typed; there is no photo.") : [this.photoBar(reply), this.moving, this.stage]),
        h("div", {}, reply.games.map((game, index) => this.game(game, index, reply)), this.legend())));
    if (!reply.typed) this.drawPhoto();
    if (place) this.edit(place);
    return undefined;
  }

  legend() {
    return h("p", { class: "hint" }, "Plain: read for certain. Dotted ~: less sure. Dashed ?: asked. Solid ✓: settled by a person.");
  }

  heads(sheet) {
    const field = (what, label) => {
      const head = sheet.heads[what];
      const input = h("input", { value: head.text, id: `clabber-${what}`, maxlength: 80 });
      const save = async (event) => { event.preventDefault(); await this.settle(head.place, input.value, head.seen); };
      return h("form", { class: "bar", onsubmit: save }, h("label", { for: `clabber-${what}` }, label), input, h("button", {}, head.settled ? "✓ Change" : head.sure ? "Confirm" : "? Confirm"));
    };
    const mark = h("select", { "aria-label": "This sheet is", onchange: async () => { if (await this.decide("mark", { sheet: sheet.sheet, mark: mark.value || null })) this.say(`Saved: ${MARKS[mark.value]}.`); } },
      Object.entries(MARKS).map(([value, name]) => h("option", { value, selected: (sheet.mark || "") === value }, name)));
    return h("div", {}, h("div", { class: "bar" }, field("we", "We"), field("they", "They"), field("date", "Date")), h("div", { class: "bar" }, "This sheet is: ", mark,
      h("button", { onclick: () => this.questions(sheet.sheet) }, "Its questions"), h("button", { onclick: () => this.undo() }, "Undo")));
  }

  photoBar(sheet) {
    const zoom = (by) => () => { this.open.zoom = Math.min(6, Math.max(0.5, this.open.zoom * by)); this.drawPhoto(); };
    const layout = h("select", { "aria-label": "Layout of the pad" }, [...new Set([sheet.layout, ...this.hello.layouts])].map((name) => h("option", { value: name, selected: name === sheet.layout }, name)));
    layout.addEventListener("change", async () => { if (await this.decide("layout", { sheet: sheet.sheet, layout: layout.value })) { await this.sheet(sheet.sheet); this.say("Read again with the other layout."); } else layout.value = sheet.layout; });
    return h("div", { class: "bar" }, h("button", { onclick: zoom(1.4), "aria-label": "Larger" }, "+"), h("button", { onclick: zoom(1 / 1.4), "aria-label": "Smaller" }, "−"),
      h("button", { onclick: () => { this.open.turn = (this.open.turn + 90) % 360; this.drawPhoto(); } }, "Turn"),
      sheet.games.map((game, index) => h("button", { onclick: () => { this.open.moving = { game: game.game, quad: game.quad.map((p) => [...p]) }; this.open.zoom = 1; this.drawPhoto(); } }, sheet.games.length > 1 ? `Move grid ${index + 1}` : "Move the grid")), "Pad:", layout);
  }

  async drawPhoto() {
    const open = this.open;
    if (!open.photo) {
      this.stage.replaceChildren("Loading the photo …");
      open.photo = await this.ask("photo", { sheet: open.sheet });
    }
    if (open !== this.open) return;
    if (open.photo.missing) {
      const photo = open.photo.missing.photo;
      open.photo = null;
      this.stage.replaceChildren(this.missing(photo, () => this.drawPhoto()));
      return;
    }
    if (!open.zoom) open.zoom = fitting(open);
    const width = (this.stage.clientWidth || 600) * open.zoom;
    const height = (width * open.height) / open.width;
    const sideways = open.turn % 180 !== 0;
    const spots = open.games.flatMap((game) => game.rows.flatMap((row) => Object.entries(row.cells).filter(([, cell]) => cell.box && (row.hand || cell.state !== "sure")).map(([key, cell]) =>
      h("polygon", { points: points(cell.box), class: `spot ${cell.state}`, "data-place": cell.place, onclick: () => this.edit(cell.place) }, h("title", {}, `Hand ${row.row}, ${key}: ${shown(cell.text)}`)))));
    const svg = h("svg", { viewBox: `0 0 ${open.width} ${open.height}` }, open.moving ? this.handles(open) : spots);
    const inner = h("div", {}, h("img", { src: open.photo.image, alt: "Photo of the sheet" }), svg);
    inner.style.cssText = `width:${width}px;height:${height}px;transform:rotate(${open.turn}deg) translate(-50%,-50%)`;
    const turner = h("div", { class: "turner" }, inner);
    turner.style.cssText = `width:${sideways ? height : width}px;height:${sideways ? width : height}px`;
    // Above the stage, not in it: the stage scrolls, and what to do next must stay in sight.
    this.moving.replaceChildren(...(open.moving ? [this.movingBar(open)] : []));
    this.stage.replaceChildren(turner);
    if (!open.placed) {
      open.placed = true;
      const corners = open.games.flatMap((game) => game.quad);
      const scale = width / open.width;
      this.stage.scrollTo(Math.min(...corners.map(([x]) => x)) * scale - 10, Math.min(...corners.map(([, y]) => y)) * scale - 60);
    }
  }

  movingBar(open) {
    const done = async () => {
      const reply = await this.decide("move", { game: open.moving.game, quad: open.moving.quad });
      if (reply) { await this.sheet(open.sheet); this.say("Read again on the new corners."); }
    };
    return h("div", { class: "bar editor" }, "Drag the corners (or move them with the arrow keys) onto the corners of the ruling, heading row included.",
      h("button", { class: "main", onclick: done }, "Read here"), h("button", { onclick: () => { open.moving = null; this.drawPhoto(); } }, "Leave it"));
  }

  handles(open) {
    const names = ["top left", "top right", "bottom right", "bottom left"];
    const size = Math.max(open.width, open.height);
    const outline = h("polygon", { points: points(open.moving.quad), class: "frame" });
    const circles = open.moving.quad.map((corner, index) => {
      const circle = h("circle", { class: "handle", cx: corner[0], cy: corner[1], r: size / 60, tabindex: 0, role: "button", "aria-label": `Corner ${names[index]}` });
      const put = (x, y) => {
        corner[0] = Math.round(x * 10) / 10; corner[1] = Math.round(y * 10) / 10;
        circle.setAttribute("cx", x); circle.setAttribute("cy", y);
        outline.setAttribute("points", points(open.moving.quad));
      };
      // A finger on a corner drags it; without this the browser would take the touch to scroll the photo.
      circle.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
      circle.addEventListener("pointerdown", (event) => { circle.setPointerCapture(event.pointerId); event.preventDefault(); });
      circle.addEventListener("pointermove", (event) => {
        if (!circle.hasPointerCapture(event.pointerId)) return;
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(circle.ownerSVGElement.getScreenCTM().inverse());
        put(at.x, at.y);
      });
      circle.addEventListener("keydown", (event) => {
        const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!move) return;
        event.preventDefault();
        const step = (event.shiftKey ? 10 : 1) * (size / 1000);
        put(corner[0] + move[0] * step, corner[1] + move[1] * step);
      });
      return circle;
    });
    return [outline, ...circles];
  }

  game(game, index, sheet) {
    const sign = { sure: "", fair: "~ ", open: "? ", settled: "✓ " };
    const words = { sure: "", fair: ", less sure", open: ", asked", settled: ", settled" };
    const cell = (value, row, title) => h("td", { class: "cell" }, h("button", { class: value.state, "data-place": value.place, onclick: () => this.edit(value.place), title: value.by ? `says ${value.by}` : "",
      "aria-label": `Hand ${row.row}, ${title}: ${shown(value.text)}${words[value.state]}` }, sign[value.state], value.struck ? h("span", { class: "struck" }, value.struck, " ") : null, value.text));
    const last = Math.max(0, ...game.rows.filter((row) => row.hand).map((row) => row.row));
    const rows = game.rows.filter((row) => row.row <= last + 1).map((row) => h("tr", {}, h("th", { scope: "row" }, String(row.row)), game.keys.map((key, i) => cell(row.cells[key], row, game.titles[i]))));
    const rule = (official) => h("button", { "aria-pressed": String(game.ruled && game.official === official), onclick: () => this.settle(`${game.game}/official`, official, game.seen, note.value.trim() || null) }, RULINGS[official][0]);
    const note = h("input", { "aria-label": "Note to the decision", maxlength: 300, placeholder: "Note", value: game.note || "" });
    return h("section", {}, h("h2", {}, sheet.games.length > 1 ? `Game ${index + 1}` : "The game"),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Hand"), game.titles.map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, rows))),
      h("p", {}, game.winner ? `${sheet.teams[game.winner] || (game.winner === "we" ? "We" : "They")} won, as written.` : "Nobody has won yet, as written."),
      game.problems.length ? [h("ul", { class: "problems" }, game.problems.map((p) => h("li", {}, `! ${p.message} `, h("strong", {}, p.consequence)))),
        h("div", { class: "bar", role: "group", "aria-label": "What counts" }, Object.keys(RULINGS).map(rule), note),
        game.ruled_by ? h("p", { class: "hint" }, `Decided by ${game.ruled_by}.`) : h("p", { class: "hint" }, "Not decided yet; until then the written score counts.")] : h("p", {}, "No slips."));
  }

  /** Settles a place from outside the queue; another's answer in the meantime is shown, and asked for again. */
  async settle(place, text, seen, note = null) {
    const reply = await this.decide("answer", { place, text, seen, note });
    if (!reply) return false;
    if (this.view === "sheet") await this.sheet(this.open.sheet);
    if (reply.overtaken) this.complain(`${reply.overtaken.by} has decided this in the meantime: ${shown(reply.overtaken.text ?? "")}. Look at it once more.`);
    else this.say(`Saved: ${RULINGS[text]?.[0] ?? shown(text)}.`);
    return !reply.overtaken;
  }

  edit(place) {
    const cell = this.open.games.flatMap((game) => game.rows.flatMap((row) => Object.entries(row.cells).map(([key, value]) => ({ ...value, key, row: row.row, title: game.titles[game.keys.indexOf(key)] })))).find((found) => found.place === place);
    if (!cell) return;
    for (const node of this.body.querySelectorAll("[data-place]")) node.classList.toggle("chosen", node.dataset.place === place);
    this.openEditor(this.editor, { place, text: cell.text, seen: cell.seen, name: `Hand ${cell.row}, ${cell.title}`, choices: cell.choices, by: cell.by });
  }

  openEditor(into, cell, after = null) {
    const pictures = h("div", {});
    const input = h("input", { class: "answer", value: cell.text, maxlength: 4, id: "clabber-edit", autocomplete: "off", "aria-label": `${cell.name}: what is written` });
    const save = async (text) => { if (await this.settle(cell.place, text, cell.seen) && after) after(text); };
    const options = (cell.choices ?? []).filter(([text]) => text !== cell.text).slice(0, 4).map(([text, p]) => h("button", { type: "button", onclick: () => save(text) }, `${shown(text)} ${percent(p)}`));
    into.replaceChildren(h("section", { class: "editor", "aria-label": cell.name }, h("h2", {}, cell.name, cell.by ? ` (settled by ${cell.by})` : ""),
      h("form", { onsubmit: (event) => { event.preventDefault(); save(input.value); } }, h("div", { class: "bar" }, h("label", { for: "clabber-edit" }, "Written here"), input, h("button", { class: "main" }, "Save"), options,
        h("button", { type: "button", onclick: () => into.replaceChildren() }, "Close"))), pictures));
    this.loadPictures(cell.place, pictures);
    input.focus();
    input.select();
    into.scrollIntoView({ block: "nearest" });
  }

  // --- look-alikes

  async alikes(what = "1", page = 0) {
    const reply = await this.ask("alike", { what, page });
    if (reply.error) return this.complain(reply.error);
    const kinds = [..."0123456789", "XX", "-", "W"].map((kind) => h("button", { "aria-pressed": String(kind === what), onclick: () => this.alikes(kind) }, kind));
    const editor = h("div", {});
    const images = new Map();
    const cards = reply.cells.map((cell) => {
      const image = h("img", { alt: `Hand ${cell.row}, ${cell.name}` });
      images.set(cell.place, image);
      const text = h("strong", {}, cell.text);
      return h("button", { "data-place": cell.place, title: `${cell.photo}, hand ${cell.row}, ${cell.name}`, onclick: () => this.openEditor(editor, { ...cell, name: `${fileName(cell.photo)}, hand ${cell.row}, ${cell.name}` }, (now) => { text.textContent = `✓ ${now}`; editor.replaceChildren(); }) }, image, text);
    });
    this.show("alikes", h("h1", {}, `Cells read with ${what}`), h("p", {}, "Find the one that does not belong, and press it to correct it."), h("div", { class: "bar", role: "group", "aria-label": "Which digit or mark" }, kinds), editor,
      h("div", { class: "alikes" }, cards.length ? cards : "There is none."),
      h("div", { class: "bar" }, page > 0 ? h("button", { onclick: () => this.alikes(what, page - 1) }, "Back") : null, reply.more ? h("button", { class: "main", onclick: () => this.alikes(what, page + 1) }, "More") : null));
    // Photo by photo, so that the first pictures are there while later photos are still being opened.
    for (const photo of new Set(reply.cells.map((cell) => cell.photo))) {
      const places = reply.cells.filter((cell) => cell.photo === photo).map((cell) => cell.place);
      const { crops } = await this.ask("crops", { places });
      for (const [place, image] of Object.entries(crops ?? {})) images.get(place).src = image;
      if (!cards[0].isConnected) break;
    }
    return undefined;
  }

  // --- the end

  async summary() {
    const reply = await this.ask("summary");
    if (reply.error) return this.complain(reply.error);
    const given = Object.values(reply.answers).reduce((sum, n) => sum + n, 0);
    const lines = [`${given} ${given === 1 ? "answer" : "answers"} in ${reply.minutes} minutes (${Object.entries(reply.answers).map(([by, n]) => `${by}: ${n}`).join(", ") || "nobody yet"}).`,
      reply.questions ? `${reply.questions} questions are left on ${reply.sheets} sheets.` : "No question is left.", `${reply.done} sheets were finished in this sitting.`];
    const list = (title, entries) => (entries.length ? [h("h2", {}, title), h("ul", {}, entries.map((entry) => h("li", {}, entry)))] : []);
    return this.show("summary", h("h1", {}, "Summary"), lines.map((line) => h("p", {}, line)), standings(reply.before, reply.after), this.disagreeing(reply.disagreements),
      list("The captains are to be asked", reply.captains.map((c) => `${c.we || "?"} – ${c.they || "?"}, ${c.photo}${c.note ? `: ${c.note}` : ""} (${c.by})`)),
      list("Set aside", reply.aside.map((a) => `${a.photo}: ${MARKS[a.mark]}`)), list("Photos that could not be read", reply.failed.map((f) => f.message)));
  }
}

/** The zoom at which a sheet's grids fill the width of the stage. */
function fitting(sheet) {
  const xs = sheet.games.flatMap((game) => game.quad.map(([x]) => x));
  return Math.min(4, Math.max(1, sheet.width / ((Math.max(...xs) - Math.min(...xs)) * 1.05)));
}

function figure(picture, kind, caption) {
  const mark = picture.box ? h("svg", { viewBox: `0 0 ${picture.width} ${picture.height}`, "aria-hidden": "true" }, h("polygon", { points: points(picture.box), class: "frame" })) : null;
  return h("figure", { class: kind }, h("div", { class: "picture" }, h("img", { src: picture.image, alt: caption, width: picture.width, height: picture.height }), mark), h("figcaption", {}, caption));
}

function standings(before, after) {
  if (!after) return null;
  if (!after.length) return h("p", {}, "There is no league table yet: no game has both team names and a winner.");
  const was = new Map((before ?? []).map((row) => [row.team, row]));
  const changed = (row) => {
    const old = was.get(row.team);
    if (!old) return "new";
    const parts = [old.rank > row.rank ? `▲ ${old.rank - row.rank}` : old.rank < row.rank ? `▼ ${row.rank - old.rank}` : "", old.won !== row.won ? `won ${old.won} → ${row.won}` : "", old.points_for !== row.points_for ? `points ${old.points_for} → ${row.points_for}` : ""];
    return parts.filter(Boolean).join(", ") || "=";
  };
  const line = (row) => h("tr", {}, h("td", { class: "number" }, String(row.rank)), h("td", {}, row.team), ...["played", "won", "lost", "points_for"].map((key) => h("td", { class: "number" }, String(row[key]))), h("td", {}, changed(row)));
  return h("section", {}, h("h2", {}, "The league table, and what changed in this sitting"), h("div", { class: "scroll" }, h("table", { class: "standings" }, h("thead", {}, h("tr", {}, ["Rank", "Team", "Played", "Won", "Lost", "Points", "Changed"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, after.map(line)))));
}

function keysDialog() {
  const keys = [["Enter", "accept the chosen answer"], ["0 to 9", "type what is written"], ["X", "the side was set"], ["-", "zero line"], ["W", "the winner's W"], ["↑ ↓", "choose another answer"], ["Tab", "skip; Shift Tab leaves the answer box"],
    ["U", "undo, as often as you like (Ctrl Z while a name or date is asked)"], ["K, C, A", "paper is wrong: keep, correct, ask the captains"], ["N", "write a note"], ["Esc", "clear what was typed, close this"], ["?", "this list"]];
  const dialog = h("dialog", { "aria-label": "Keys" }, h("h2", {}, "Keys"), h("table", {}, h("tbody", {}, keys.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what))))),
    h("p", {}, h("button", { class: "main", onclick: () => dialog.close() }, "Close")));
  return dialog;
}

function render({ model, el }) {
  const panel = new Panel(model, el);
  panel.begin();
  return () => { clearInterval(panel.timer); panel.root.remove(); };
}

export default { render };
