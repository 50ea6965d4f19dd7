// Draws what a table beside it says, in the page's own colours; the table stays for who reads it.
"use strict";

const drawn = new Set();
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const number = (cell) => (cell.dataset.v === "" ? null : Number(cell.dataset.v));

function draw(figure) {
  const place = figure.querySelector("[data-draw]");
  const table = figure.querySelector("table");
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  const columns = heads.flatMap((head, n) => ("y" in head.dataset ? [n] : []));
  const values = columns.map((n) => rows.map((row) => number(row.cells[n])));
  const xs = rows.map((row) => number(row.cells[0]));
  const colours = ["--accent", "--info", "--warn", "--bad"];
  const dashes = [[], [6, 4], [2, 3], [2, 3]];
  const series = columns.map((n, at) => ({
    label: heads[n].textContent, stroke: colour(colours[at % 4]), width: 2, dash: dashes[at % 4],
    points: { show: rows.length < 25 }, value: (_, v) => (v === null || v === undefined ? "–" : v.toFixed(3)),
  }));
  const data = [xs, ...values];
  const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") } };
  place.hidden = false;
  place.replaceChildren();
  const chart = new uPlot({
    width: Math.max(260, place.clientWidth), height: 260,
    scales: { x: { time: false }, y: figure.dataset.scale === "trust" ? { range: [0, 1.02] } : {} },
    series: [{ label: heads[0].textContent, value: (_, v) => v ?? "–" }, ...series],
    axes: [{ ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200] }, { ...axis, size: 46 }],
    legend: { live: true },
    cursor: { drag: { x: false, y: false } },
    hooks: figure.dataset.scale === "trust" ? { draw: [thresholds] } : {},
  }, data, place);
  drawn.add({ chart, place });
}

// Where TRUST and VERIFY begin.
function thresholds(u) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.font = "12px sans-serif";
  for (const [level, name, tone] of [[0.8, "TRUST", "--good"], [0.5, "VERIFY", "--warn"]]) {
    const y = u.valToPos(level, "y", true);
    ctx.strokeStyle = ctx.fillStyle = colour(tone);
    ctx.setLineDash([3, 5]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    ctx.fillText(name, bbox.left + bbox.width - 4, y - 3);
  }
  ctx.restore();
}

function drawAll() {
  for (const { chart } of drawn) chart.destroy();
  drawn.clear();
  document.querySelectorAll("[data-chart]").forEach(draw);
}

document.addEventListener("learnt:shown", drawAll);
document.addEventListener("learnt:theme", drawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
let widening;
addEventListener("resize", () => { clearTimeout(widening); widening = setTimeout(drawAll, 150); });

// Sliders: the server computes anew while they move; without this the form's button does.
let asked = 0;
document.addEventListener("input", async (event) => {
  const form = event.target.closest("form[data-recompute]");
  if (!form) return;
  for (const output of form.querySelectorAll("output")) output.value = form.elements[output.htmlFor.value].value;
  const own = ++asked;
  const address = form.getAttribute("action") + "?" + new URLSearchParams(new FormData(form));
  const answer = await fetch(address);
  if (!answer.ok || own !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (own !== asked) return;
  document.querySelector("[data-result]").replaceChildren(...page.querySelector("[data-result]").childNodes);
  history.replaceState(null, "", address);
  drawAll();
});
