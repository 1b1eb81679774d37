// Runs the script of a viewer on a page of a few objects: `node viewer_page.js PAGE.html COMMANDS`, where COMMANDS is a
// JSON list of [name, argument]: key, click (column, row), press (label of a button). Prints the texts after each.
"use strict";
const fs = require("fs");

class Element {
  constructor(tag) {
    Object.assign(this, { tagName: tag.toUpperCase(), children: [], listeners: {}, attributes: {}, dataset: {}, own: "", hidden: false });
  }
  appendChild(child) { this.children.push(child); child.parent = this; return child; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(name, act) { this.listeners[name] = act; }
  set textContent(text) { this.own = String(text); this.children = []; }
  get textContent() { return this.own + this.children.map((child) => child.textContent).join(""); }
  getBoundingClientRect() { return { left: 0, top: 0, width: this.width, height: this.height }; }
  focus() {}
  all() { return [this, ...this.children.flatMap((child) => child.all())]; }
  named(name) { return this.all().find((element) => element.className === name); }
}

const html = fs.readFileSync(process.argv[2], "utf8");
const data = html.match(/<script type="application\/json">(.*?)<\/script>/s)[1];
const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)];
const box = new Element("div");
const svg = new Element("svg");
const layer = new Element("g");
const holder = new Element("script");
holder.textContent = data;
const picture = JSON.parse(data).picture;
Object.assign(svg, { width: picture.width / 2, height: picture.height / 2 });
box.querySelector = (name) => ({ script: holder, svg, "g.w7-top": layer })[name];
const timers = [];
global.document = { createElement: (tag) => new Element(tag), querySelectorAll: () => [box] };
global.setTimeout = (act, milliseconds) => timers.push({ act, milliseconds });
global.clearTimeout = () => { timers.length = 0; };
eval(scripts[0][1]);

function state() {
  const text = (name) => box.named(name).textContent;
  const quiz = box.named("w7-quiz");
  return {
    where: text("w7-where"), comment: text("w7-comment"), choices: box.named("w7-choices").children.map((b) => b.textContent),
    quiz: quiz.hidden ? "" : quiz.children[0].textContent, stones: (layer.innerHTML.match(/r="13.25"/g) || []).length,
    timers: timers.map((timer) => timer.milliseconds), layer: layer.innerHTML,
  };
}
const states = [state()];
for (const [name, ...values] of JSON.parse(process.argv[3])) {
  if (name === "key") box.listeners.keydown({ key: values[0], target: box, preventDefault() {} });
  if (name === "press") box.all().find((element) => element.attributes["aria-label"] === values[0]).listeners.click();
  if (name === "click") svg.listeners.click({ clientX: picture.xs[values[0]] / 2, clientY: picture.ys[values[1]] / 2 });
  if (name === "wait") timers.shift().act();
  states.push(state());
}
console.log(JSON.stringify(states));
