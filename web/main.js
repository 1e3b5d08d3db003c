// @ts-check
// Builds the page: mounts the modules in their places, and draws the cube.

import {
  checkCube,
  filledOf,
  isFollowed,
  isPainting,
  openCube,
  setCube,
  setProblem,
  shown,
  makeMove,
} from "./actions.js";
import { mountAddress } from "./address.js";
import { api } from "./api.js";
import { CubeView } from "./cube/cube-view.js";
import { moveBetween } from "./cube/cube.js";
import { Inset } from "./cube/inset.js";
import { NetView } from "./cube/net-view.js";
import { button, fill } from "./dom.js";
import { mountFollow } from "./follow/follow.js";
import { mountInput } from "./panels/input.js";
import { mountKeys } from "./panels/keys.js";
import { mountLook, restoreLook } from "./panels/look.js";
import { mountPaint } from "./panels/paint.js";
import { mountProblem } from "./panels/problem.js";
import { mountStatus } from "./panels/status.js";
import { page, turns } from "./sentences.js";
import { FIRST, store } from "./store.js";
import { loaded, mountLater } from "./tools/later.js";

/** @typedef {import("./types").State} State */

/** @param {string} id @returns {any} */
const place = (id) => document.getElementById(id);

fill(page);
restoreLook();
place("cube").replaceChildren();
const cubeView = new CubeView(place("cube"));
const inset = new Inset(place("inset"));
const netView = new NetView(place("net"));
const box = mountInput(place("input"), random);
const paint = mountPaint(place("paint"), {
  net: place("net"),
  cubeView,
  netView,
});
mountProblem(place("problem"), place("message"));
const showScrambles = mountLater(place("scramble"), place("share"));
mountLook(place("look"));
mountStatus(place("notice"), async () => {
  const { example, solution, step } = store.get();
  // A solution that is followed stays.
  if (!(await box.retry()) && !example && !(solution && step)) await checkCube();
});
const keys = mountKeys({
  cubeView,
  paint,
  focusBox: () => (store.set({ mode: "solve" }), box.focus()),
});
place("help").addEventListener("click", keys.open);
mountFollow(place("follow"), { store, api, onAnother, onLost });

/** Goes back to the first screen. */
function onAnother() {
  setCube(FIRST.stickers, FIRST);
  void box.write("");
  place("ways").scrollIntoView({ block: "nearest" });
}

// What went wrong is found by a part that few need. On a narrow screen the picture is above the net.
const onAsk = () => narrow.matches && show(place("stage"), "start");
/** @type {(() => void) | null} */
let askLost = null;
async function onLost() {
  const { mountLost } = await loaded(place("follow"), () => import("./follow/lost.js"));
  askLost ??= mountLost(place("paint"), { store, api, onAsk, onPaint });
  askLost();
}

// Ways to begin
const [camera, painting] = [place("scan"), place("painting")];
camera.addEventListener("click", openCamera);
painting.addEventListener("click", () => {
  paint.toggle();
  if (store.get().painting) onPaint();
});

function onPaint() {
  for (const part of ["net", "paint"]) place(part).scrollIntoView({ block: "nearest" });
}

async function openCamera() {
  camera.disabled = true;
  const { mountCamera } = await loaded(place("camera"), () => import("./camera/camera.js"));
  const done = () => {
    place("camera").replaceChildren();
    camera.disabled = false;
  };
  /** @param {string} stickers */
  const onCube = async (stickers) => {
    place("stage").scrollIntoView();
    await openCube(stickers, { painting: false });
    if (store.get().problem) store.set({ painting: true });
  };
  mountCamera(place("camera"), {
    api,
    palette: store.get().palette,
    onCube,
    onClose: done,
  });
}

async function random() {
  const answer = await api.get("/scramble").catch(setProblem);
  if (!answer) return;
  store.set({ painting: false });
  await box.write(answer.scrambles[0]);
  place("stage").scrollIntoView();
}

const narrow = matchMedia("(max-width: 56.1875em)");
narrow.addEventListener("change", placeProblem);
/** Puts the problem below the net while that is painted on a narrow screen, otherwise below the cube. */
function placeProblem() {
  const isBelow = narrow.matches && document.body.hasAttribute("data-painting");
  const panel = place("problem");
  if (isBelow === (panel.parentElement === place("side"))) return;
  if (isBelow) place("faces").after(panel);
  else place("follow").before(panel);
}

// The laboratory is loaded when it is opened.
/** @type {{unmount(): void} | null} */
let lab = null;
async function showLab() {
  if (lab) return;
  const { mountLab } = await loaded(place("lab"), () => import("./lab/lab.js"));
  if (store.get().mode === "lab" && !lab) lab = mountLab(place("lab"), { store, api });
}

const { dataset } = document.documentElement;

/** @param {State} state */
function drawMode({ mode, painting: on, problem, wanted, solution, example }) {
  document.body.dataset.mode = mode;
  // Until the page is ready, its address says whether it begins with the first screen: see theme.js.
  if ("ready" in dataset) document.documentElement.toggleAttribute("data-first", example && mode === "solve");
  document.body.toggleAttribute("data-painting", on && mode === "solve");
  document.body.toggleAttribute("data-empty", !wanted && !solution);
  placeProblem();
  painting.setAttribute("aria-pressed", String(on));
  for (const tab of document.querySelectorAll("nav button")) {
    if (/** @type {HTMLElement} */ (tab).dataset.mode === mode) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  place("input").hidden = mode === "scramble";
  place("ways").hidden = place("camera").hidden = mode !== "solve";
  place("paint").hidden = mode !== "solve" || !on;
  place("scramble").hidden = mode !== "scramble";
  place("follow").hidden = mode !== "solve" || problem !== null;
  for (const id of ["net", "faces"]) place(id).toggleAttribute("hidden", mode === "lab");
  place("lab").hidden = mode !== "lab";
  if (mode === "lab") void showLab();
  else if (lab) {
    lab.unmount();
    lab = null;
  }
}
for (const tab of document.querySelectorAll("nav button")) {
  const { mode } = /** @type {{mode: State["mode"]}} */ (/** @type {any} */ (tab).dataset);
  tab.setAttribute("data-label", tab.textContent ?? "");
  tab.addEventListener("click", () => store.set({ mode }));
}

/** @param {State} state */
function drawCube(state) {
  const now = state.preview?.stickers ?? shown(state);
  const follows = state.mode === "solve" && !state.preview && !state.problem && state.reveal !== "length";
  const next = (follows && state.solution?.moves[state.step]) || null;
  const marks = state.preview?.changed ?? state.marks;
  const dots = state.preview?.guessed ?? (state.comparing ? filledOf(state) : []);
  for (const view of [cubeView, netView]) {
    view.setStickers(now, state.palette);
    view.setMarks(marks);
    view.setDots(dots);
    view.setCursor(state.cursor);
    view.setSymbols(state.symbols);
  }
  cubeView.isLocked = isPainting(state) || isFollowed(state);
  undo.hidden = !state.turned || state.step > 0;
  undo.textContent = turns.undo(state.turned);
  cubeView.setHints(state.hints);
  cubeView.setFocus(state.focus);
  cubeView.setHighlight(next);
  inset.show(next, now, state.palette);
}
// A turn replaces a cube and its solution, also by mistake.
const undo = button("", paint.undo, { id: "undo", hidden: true });
place("space").append(undo);
cubeView.addEventListener("pose", () => (place("reset").hidden = cubeView.isHome()));
place("reset").addEventListener("click", () => cubeView.reset());
cubeView.addEventListener("move", (event) => makeMove(/** @type {CustomEvent} */ (event).detail.move));

// A click on the cube must not change a cube whose solution is followed.
let hadSolution = false;
let seen = store.get().stickers;
store.subscribe((state, changed) => {
  // Another cube is seen from the usual view, but not after a turn or a stroke.
  if (!state.painting && state.stickers !== seen && !moveBetween(seen, state.stickers)) cubeView.reset();
  seen = state.stickers;
  const has = (/** @type {(keyof State)[]} */ ...keys) => keys.some((key) => changed.has(key));
  drawCube(state);
  if (changed.has("step") && !changed.has("solution") && state.solution) {
    if (state.step === state.solution.length) cubeView.spin();
    else cubeView.reset();
  }
  if (has("mode", "painting", "problem", "wanted", "solution", "example")) drawMode(state);
  // On a narrow screen the problem of a painted cube is below the net.
  if (changed.has("problem") && isPainting(state) && narrow.matches) show(place("problem"), "nearest");
  if (changed.has("mode") && state.mode === "solve" && !state.solution && !state.problem && !state.example)
    void checkCube();
  if (!changed.has("solution")) return;
  const isFirst = Boolean(state.solution) && !hadSolution;
  hadSolution = Boolean(state.solution);
  if (isFirst && state.painting) {
    store.set({ painting: false });
    show(place("stage"), "start");
  }
});

/** Milliseconds in which a tap is still meant for what was there before. */
const LATE = 400;
let changedAt = -LATE;
/** Scrolls to what has appeared. A tap that comes late must not press what has moved there. @param {HTMLElement} part @param {ScrollLogicalPosition} block */
function show(part, block) {
  changedAt = performance.now();
  part.scrollIntoView({ block });
}
document.addEventListener(
  "click",
  (event) => {
    if (event.detail && event.timeStamp < changedAt + LATE) event.stopPropagation();
  },
  true,
);
drawMode(store.get());
drawCube(store.get());
void api.watchReady();
await mountAddress(box);
// The page is shown when the part of its mode is there.
const { mode } = store.get();
if (mode === "lab") await showLab();
if (mode === "scramble") await showScrambles();

// A click before the modules were loaded.
dataset.ready = "";
drawMode(store.get());
if (dataset.early) place(dataset.early).click();

// Once the service is gone, nothing can be loaded. A page without its own solver waits for the service.
const solver = document.querySelector('meta[name="solver"]')?.getAttribute("content");
/** @param {string} address */
const loadSolver = (address) =>
  import("./local/local.js").then(({ mountLocal }) => mountLocal(api, address)).catch(() => {});
const { requestIdleCallback: whenIdle = setTimeout } = window;
if (solver) whenIdle(() => void loadSolver(solver));
