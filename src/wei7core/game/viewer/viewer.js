(() => {
"use strict";

// The game without a page: where it is, what is on the board, and the judgement of answers.
function makeModel(data, random) {
  const [width, height] = data.size;
  const nodes = data.nodes.map(([parent, changes, fields], index) => ({ index, parent, changes, fields: fields || {}, next: [] }));
  for (const node of nodes) {
    const above = nodes[node.parent];
    if (node.index) above.next.push(node);
    node.number = node.fields.n ?? (node.index ? above.number : 0) + (node.fields.m ? 1 : 0);
    node.time = node.fields.t ?? (node.index ? above.time : null);
  }
  const model = { nodes, width, height, at: nodes[0], board: new Uint8Array(width * height), color: 0, verdict: "" };
  const chosen = new Map();

  const apply = (node) => {
    for (const change of node.changes) model.board[(change / 3) | 0] = change % 3;
  };
  model.go = (node) => {
    if (node.index && nodes[node.parent] === model.at) {
      apply(node);
    } else {
      const way = [];
      for (let here = node; ; here = nodes[here.parent]) {
        way.push(here);
        if (!here.index) break;
      }
      model.board.fill(0);
      way.reverse().forEach(apply);
    }
    if (node.index) chosen.set(node.parent, node);
    model.at = node;
  };
  model.visit = (node) => {
    model.go(node);
    model.color = node.fields.q || 0;
    if (model.color) model.question = node;
    model.verdict = "";
  };
  // The node that a step forward leads to; none at an open question, whose answer it would show.
  model.following = () => (model.color ? undefined : chosen.get(model.at.index) || model.at.next[0]);
  model.forward = () => {
    const node = model.following();
    if (node) model.visit(node);
    return Boolean(node);
  };
  model.back = () => {
    if (model.at.index) model.visit(nodes[model.at.parent]);
  };
  model.start = () => model.visit(nodes[0]);
  model.end = () => {
    while (model.forward());
  };
  model.sibling = (by) => {
    if (!model.at.index) return;
    const all = nodes[model.at.parent].next;
    model.visit(all[(all.indexOf(model.at) + by + all.length) % all.length]);
  };
  // The moves that may follow, whatever texts are between.
  model.moves = () => {
    const found = [];
    const waiting = [...model.at.next].reverse();
    while (waiting.length) {
      const node = waiting.pop();
      if (node.fields.m) found.push(node);
      else waiting.push(...[...node.next].reverse());
    }
    return found;
  };
  model.show = () => {
    chosen.delete(model.at.index);
    model.color = 0;
    model.verdict = "";
  };
  model.hint = () => model.moves().find((node) => node.fields.m[0] === model.color && node.fields.e > 0);
  // A click on a point, or -1 for a pass: an answer while a question is open, else the way to a move there.
  model.play = (point) => {
    const color = model.color;
    const same = model.moves().filter(({ fields }) => fields.m[1] === point && (!color || fields.m[0] === color));
    const node = same.find(({ fields }) => fields.e > 0) || same[0];
    if (!color) {
      if (same[0]) model.visit(same[0]);
      return;
    }
    if (!node || !node.fields.e) {
      model.verdict = "unknown";
      return;
    }
    model.go(node);
    if (node.fields.e < 0) {
      model.verdict = "wrong";
      model.color = 0;
      return;
    }
    let following = model.moves();
    if (following.length && !following.some(({ fields }) => fields.m[0] === color)) {
      const good = following.filter(({ fields }) => fields.e > 0);
      const fair = good.length ? good : following.filter(({ fields }) => !fields.e);
      const replies = fair.length ? fair : following;
      model.go(replies[Math.floor((random || Math.random)() * replies.length)]);
      following = model.moves();
    }
    model.verdict = following.length ? "continue" : "right";
    if (!following.length) model.color = 0;
  };
  model.pointName = (point) => {
    if (point < 0) return "pass";
    let name = "";
    for (let x = (point % width) + 1; x; x = Math.floor((x - 1) / 25)) name = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[(x - 1) % 25] + name;
    return name + (height - Math.floor(point / width));
  };
  model.moveName = (node) => (node.fields.m ? ["", "Black ", "White "][node.fields.m[0]] + model.pointName(node.fields.m[1]) : "");
  // Seconds until the next node of a line that is played at its pace.
  model.pause = () => {
    const next = model.following();
    if (!next) return null;
    if (!data.timeline) return next.fields.m ? 1 : 0;
    return next.time === null ? 0 : Math.max(0, next.time - (model.at.time ?? 0));
  };
  model.visit(nodes[0]);
  return model;
}

const WORDS = { right: "Right. The problem is solved.", wrong: "Wrong.", continue: "Right so far. Go on.", unknown: "The record does not judge this move." };

function drawing(model, data) {
  const { xs, ys, colors, radius } = data.picture;
  const fills = ["", colors.black, colors.white];
  const edges = ["", colors.black_edge, colors.white_edge];
  const inks = [colors.ink, colors.on_black, colors.on_white];
  const x = (point) => xs[point % model.width];
  const y = (point) => ys[Math.floor(point / model.width)];
  const escape = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  const stone = (point, color, rest) =>
    `<circle cx="${x(point)}" cy="${y(point)}" r="${radius}" fill="${fills[color]}" stroke="${edges[color]}"${rest || ""}/>`;
  const label = (point, text, ink) => {
    const shown = [...text].length > 3 ? [...text].slice(0, 2).join("") + "\u2026" : text;
    const sizes = /[\u2e80-\uffef]/.test(shown) ? [15, 15, 11.5, 8] : [16, 16, 13, 10.5];
    const size = sizes[[...shown].length];
    return `<text x="${x(point)}" y="${y(point)}" dy=".36em" font-size="${size}" fill="${ink}">${escape(shown)}</text>`;
  };
  const shape = (point, name, ink) => {
    const [a, b] = [x(point), y(point)];
    const stroke = `fill="none" stroke="${ink}" stroke-width="2"`;
    if (name === "TR") return `<path d="M${a} ${b - 8.5}l7.4 12.8h-14.8z" ${stroke}/>`;
    if (name === "CR") return `<circle cx="${a}" cy="${b}" r="6.5" ${stroke}/>`;
    if (name === "SQ") return `<rect x="${a - 6}" y="${b - 6}" width="12" height="12" ${stroke}/>`;
    if (name === "MA") return `<path d="M${a - 6} ${b - 6}l12 12m0-12l-12 12" ${stroke}/>`;
    if (name === "SL") return `<path d="M${a} ${b - 7}l7 7l-7 7l-7-7z" fill="${ink}" fill-opacity=".6"/>`;
    const color = name === "TB" ? 1 : 2;
    return `<rect x="${a - 4.5}" y="${b - 4.5}" width="9" height="9" fill="${fills[color]}" stroke="${edges[3 - color]}"/>`;
  };
  return () => {
    const parts = [];
    const { at, board } = model;
    board.forEach((color, point) => color && parts.push(stone(point, color)));
    const marks = at.fields.k || [];
    const marked = new Set(marks.map((mark) => mark[0]));
    if (!model.color) {
      const moves = model.moves().filter(({ fields }) => fields.m[1] >= 0 && !board[fields.m[1]]);
      if (moves.length > 1) {
        moves.forEach(({ fields: { m } }, index) => {
          parts.push(stone(m[1], m[0], ' opacity=".5"'));
          if (!marked.has(m[1])) parts.push(label(m[1], String.fromCharCode(65 + (index % 26)), inks[m[0]]));
        });
      }
    }
    for (const [point, text, name] of marks) {
      const clear = text.length > 1 ? 12 : 9.5;
      if (!board[point] && !name) parts.push(`<circle cx="${x(point)}" cy="${y(point)}" r="${clear}" fill="${colors.paper}"/>`);
      parts.push(name ? shape(point, name, inks[board[point]]) : label(point, text, inks[board[point]]));
    }
    for (const [from, to, head] of at.fields.l || []) {
      const [a, b, c, d] = [x(from), y(from), x(to), y(to)];
      const angle = Math.atan2(d - b, c - a);
      const side = (by) => `L${(c - 10 * Math.cos(angle + by)).toFixed(2)} ${(d - 10 * Math.sin(angle + by)).toFixed(2)}`;
      const end = head ? `M${c} ${d}${side(0.5)}M${c} ${d}${side(-0.5)}` : "";
      parts.push(`<path d="M${a} ${b}L${c} ${d}${end}" fill="none" stroke="${colors.arrow}" stroke-width="3.5" stroke-linecap="round"/>`);
    }
    if (at.fields.m && at.fields.m[1] >= 0) {
      const point = at.fields.m[1];
      const ring = marked.has(point);
      const ink = inks[board[point]];
      const look = ring ? `r="11" fill="none" stroke="${ink}" stroke-width="1.5"` : `r="4.5" fill="${ink}"`;
      parts.push(`<circle cx="${x(point)}" cy="${y(point)}" ${look}/>`);
    }
    return parts.join("");
  };
}

function start(box) {
  const data = JSON.parse(box.querySelector("script").textContent);
  const model = makeModel(data);
  const layer = box.querySelector("g.w7-top");
  const svg = box.querySelector("svg");
  const draw = drawing(model, data);
  let timer = 0;
  let pace = 1;

  const element = (tag, parent, name, text) => {
    const made = document.createElement(tag);
    made.className = name;
    made.textContent = text || "";
    parent.appendChild(made);
    return made;
  };
  const button = (parent, text, label, act) => {
    const made = element("button", parent, "", text);
    made.type = "button";
    made.title = label;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => {
      act();
      show();
      // A button that is gone takes the focus along, and the keys with it.
      if (made.offsetParent === null) box.focus({ preventScroll: true });
    });
    return made;
  };
  const panel = element("div", box, "w7-panel");
  const bar = element("div", panel, "w7-bar");
  bar.setAttribute("role", "toolbar");
  button(bar, "|\u25c0", "Start (Home)", model.start);
  button(bar, "\u25c0", "Back (left arrow)", model.back);
  button(bar, "\u25b6", "Forward (right arrow)", model.forward);
  button(bar, "\u25b6|", "End (End)", model.end);
  button(bar, "\u25b2", "Previous variation (up arrow)", () => model.sibling(-1));
  button(bar, "\u25bc", "Next variation (down arrow)", () => model.sibling(1));
  const player = button(bar, "Play", "Play (space)", () => (timer ? stop() : play()));
  const speed = element("select", bar, "");
  speed.setAttribute("aria-label", "Speed");
  for (const factor of [0.5, 1, 2, 4, 8, 32]) {
    const option = element("option", speed, "", `${factor}\u00d7`);
    option.value = String(factor);
    option.selected = factor === 1;
  }
  speed.addEventListener("change", () => {
    pace = Number(speed.value);
  });
  const where = element("div", panel, "w7-where");
  where.setAttribute("aria-live", "polite");
  const quiz = element("div", panel, "w7-quiz");
  const question = element("span", quiz, "");
  question.setAttribute("role", "status");
  const help = button(quiz, "Hint", "Hint", () => {
    const node = model.hint();
    model.verdict = node ? `Look at ${model.pointName(node.fields.m[1])}.` : "There is no hint.";
  });
  const solution = button(quiz, "Show", "Show the answer", model.show);
  const again = button(quiz, "Try again", "Try again", () => model.visit(model.question));
  const choices = element("div", panel, "w7-choices");
  const comment = element("div", panel, "w7-comment");

  function stop() {
    clearTimeout(timer);
    timer = 0;
  }
  function play() {
    const seconds = model.pause();
    if (seconds === null) return stop();
    timer = setTimeout(() => {
      timer = 0;
      if (model.forward()) play();
      show();
    }, (seconds * 1000) / pace);
  }
  function show() {
    const { at } = model;
    layer.innerHTML = draw();
    player.textContent = timer ? "Stop" : "Play";
    const name = model.moveName(at);
    where.textContent = [at.fields.h, `Move ${at.number}${name ? `: ${name}` : ""}`].filter(Boolean).join(" \u2013 ");
    comment.textContent = [at.fields.a, at.fields.c].filter(Boolean).join("\n\n");
    const asked = model.color ? `${["", "Black", "White"][model.color]} to play: click a point.` : "";
    question.textContent = [WORDS[model.verdict] || model.verdict, model.verdict === "wrong" ? "" : asked].filter(Boolean).join(" ");
    quiz.hidden = !question.textContent;
    help.hidden = solution.hidden = !model.color;
    again.hidden = !model.verdict || model.at === model.question;
    choices.textContent = "";
    const next = model.color ? [] : at.next;
    if (next.length > 1) next.forEach((node) => button(choices, node.fields.h || model.moveName(node) || "text", "Go on here", () => model.visit(node)));
  }

  svg.addEventListener("click", (event) => {
    const frame = svg.getBoundingClientRect();
    const { xs, ys, step, width, height } = data.picture;
    const scale = Math.max(width / frame.width, height / frame.height);
    const column = Math.round(((event.clientX - frame.left - frame.width / 2) * scale + width / 2 - xs[0]) / step);
    const row = Math.round(((event.clientY - frame.top - frame.height / 2) * scale + height / 2 - ys[0]) / step);
    if (column < 0 || row < 0 || column >= model.width || row >= model.height) return;
    stop();
    model.play(row * model.width + column);
    show();
  });
  const keys = {
    ArrowLeft: model.back,
    ArrowRight: model.forward,
    ArrowUp: () => model.sibling(-1),
    ArrowDown: () => model.sibling(1),
    Home: model.start,
    End: model.end,
    " ": () => (timer ? stop() : play()),
  };
  box.addEventListener("keydown", (event) => {
    const own = event.target && (event.target.tagName === "SELECT" || (event.key === " " && event.target.tagName === "BUTTON"));
    if (own || event.altKey || event.ctrlKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    if (event.key !== " ") stop();
    keys[event.key]();
    show();
  });
  show();
  if (data.page) box.focus();
}

if (typeof document === "undefined") {
  module.exports = { makeModel, drawing };
} else {
  for (const box of document.querySelectorAll(".w7core:not([data-ready])")) {
    box.dataset.ready = "1";
    start(box);
  }
}
})();
