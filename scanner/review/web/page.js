// Carries the panel's messages to the server it was loaded from; in a notebook the widget's own channel does that.
import panel from "/panel.js";

class PageModel {
  constructor() {
    this.page = true;
    this.listeners = [];
  }

  on(name, listener) {
    if (name === "msg:custom") this.listeners.push(listener);
  }

  off() {}

  async send({ id, act, args }) {
    let reply;
    try {
      const answer = await fetch(`/act/${act}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Clabber": "review" },
        body: JSON.stringify(args),
      });
      reply = await answer.json();
    } catch {
      reply = { offline: true, error: "The program behind this page does not answer. Start it again with clabber review; "
        + "everything you have answered so far is saved." };
    }
    for (const listener of this.listeners) listener({ id, reply });
  }
}

panel.render({ model: new PageModel(), el: document.getElementById("panel") });
