// @ts-check
// The scan of a cube: six faces by the live camera or by photos, then the net to correct.
//
// Pictures stay in the browser. 54 samples go to the service, which reads the cube.

import { FACES } from "../cube/cube.js";
import { distance } from "./colour.js";
import { button, h } from "../dom.js";
import { paintTiles, tilesOf } from "./grid.js";
import { HOLDS, PLACES, centreOf, picture, stickersOf, wordsOf } from "./holding.js";
import { Photo } from "./photo.js";
import { readScan } from "./reading.js";
import { showReview } from "./review.js";
import { Camera, cameras, hasCamera, obstacle } from "./video.js";
import { camera as phrases } from "../sentences.js";

/** @typedef {import("./colour.js").Rgb} Rgb */

/** Milliseconds between live samples. */
const TICK = 120;
/** Automatic capture: ticks without change, the greatest change of a channel, the greatest spread of a patch. */
const STEADY = { ticks: 8, change: 6, spread: 14 };
/** Least distance of the centres of two faces. */
const NEW_CENTRE = 0.002;

/** Adds the style of the scan to the page once; resolves when it is loaded. */
function loadStyle() {
  const href = new URL("camera.css", import.meta.url).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return Promise.resolve();
  const link = h("link", { rel: "stylesheet", href });
  const loaded = new Promise((resolve) => (link.onload = link.onerror = resolve));
  document.head.append(link);
  return loaded;
}

/**
 * Opens the scan as a dialog in `element` until a cube is accepted or the scan is closed. Both stop the camera and remove the dialog.
 *
 * @param {HTMLElement} element
 * @param {object} options
 * @param {{post: (path: string, body: unknown) => Promise<any>}} options.api
 * @param {Record<string, string>} options.palette
 * @param {(stickers: string) => void} options.onCube called with the accepted cube in letters of the palette
 * @param {() => void} options.onClose called at the end, also after `onCube`
 * @returns {{close(): void}}
 */
export function mountCamera(element, { api, palette, onCube, onClose }) {
  /** The samples by sticker. @type {(Rgb | null)[]} */
  const samples = Array(54).fill(null);
  let active = 0;
  /** The face scanned last, while the cube may still be held as for it. */
  let last = -1;
  /** @type {"video" | "photo"} */
  let mode = "video";
  let mirrored = false;
  let steady = 0;
  let armed = true;
  /** The face of which the user was told that its centre is known already. */
  let warned = -1;
  let seen = false;
  /** Whether the device has a camera. */
  let found = false;
  const opener = document.activeElement;
  /** @type {Rgb[] | null} */
  let before = null;

  const camera = new Camera(() => toPhotos(phrases.theCameraWasDisconnected));
  const photo = new Photo(() => tick());

  const heading = h("h3", { tabIndex: -1 });
  const pictures = h("div", { class: "pictures" });
  const words = h("p", { class: "words" });
  const live = tilesOf("live");
  const why = h("p", { class: "why" });
  const status = h("p", { class: "status", role: "status" });
  const capture = button("", take, { class: "primary" });
  const automatic = h("input", { type: "checkbox" });
  const mirror = h("input", { type: "checkbox", onchange: () => setMirrored(mirror.checked) });
  const devices = h("select", { ariaLabel: phrases.camera, onchange: () => startCamera(devices.value) });
  const file = h("input", { type: "file", accept: "image/*", onchange: () => void choose() });
  file.setAttribute("capture", "environment");
  const fileWords = h("span");
  const fileLabel = h("label", { class: "file" }, file, fileWords);
  const rotate = button(phrases.rotateThePhoto, () => photo.rotate());
  const toPhoto = button(phrases.usePhotos, () => toPhotos(phrases.takeOnePhotoOfEach));
  const toVideo = button(phrases.useTheCamera, () => void startCamera());
  const again = button(phrases.readTheColoursAgain, () => void read());
  const faces = HOLDS.map(({ face }, at) => {
    const node = button("", () => go(at), { class: `face-${face}` });
    node.append(tilesOf(""));
    return node;
  });
  const videoOptions = h(
    "div",
    { class: "options row" },
    devices,
    h("label", {}, mirror, phrases.mirrorTheView),
    h("label", {}, automatic, phrases.captureAutomatically),
    toPhoto,
  );
  const photoOptions = h("div", { class: "row" }, fileLabel, rotate, toVideo);
  const work = h(
    "div",
    { class: "work" },
    h("div", { class: "hold", ariaLive: "polite" }, heading, pictures, words),
    h("div", { class: "view" }, why, camera.element, photo.element, photoOptions),
    h("div", { class: "shoot row" }, live, capture, again, status),
    h("div", { class: "faces", role: "group", ariaLabel: phrases.scannedFaces }, ...faces),
    videoOptions,
  );
  const review = h("div", { class: "work review" });
  const root = h(
    "dialog",
    { class: "camera", ariaLabel: phrases.scanOfTheCube },
    h("div", { class: "head" }, h("h2", {}, phrases.scanTheCube), button(phrases.close, end)),
    h("p", { class: "quiet" }, phrases.noPictureLeavesThisBrowser),
    work,
    review,
  );

  /** @param {string} face */
  const colourOf = (face) => {
    const sample = samples[centreOf(face)];
    return sample && `rgb(${sample.join(" ")})`;
  };
  /** @param {number} at */
  const isScanned = (at) => samples[centreOf(HOLDS[at].face)] !== null;
  const missing = () => HOLDS.findIndex((_, at) => !isScanned(at));

  function draw() {
    const hold = HOLDS[active];
    const follows = active > 0 && last === active - 1;
    if (!work.hidden) root.dataset.mode = mode;
    root.dataset.face = hold.face;
    heading.textContent = phrases.faceOf6(active + 1, PLACES[hold.face]);
    words.textContent = wordsOf(hold, follows, mode === "photo");
    const now = picture(hold, colourOf, "");
    pictures.replaceChildren(...(follows ? [picture(HOLDS[active - 1], colourOf, hold.turn), "→", now] : [now]));
    pictures.classList.toggle("mirrored", mode === "video" && mirrored);
    live.hidden = capture.hidden = mode === "photo" && !photo.hasPicture;
    capture.textContent = mode === "photo" ? phrases.useThisPhoto : phrases.captureTheFace(PLACES[hold.face]);
    capture.title = phrases.space;
    fileWords.textContent = (photo.hasPicture ? phrases.anotherPhotoOf : phrases.photoOf)(PLACES[hold.face]);
    fileLabel.classList.toggle("primary", !photo.hasPicture);
    camera.element.hidden = videoOptions.hidden = mode !== "video";
    photoOptions.hidden = why.hidden = mode !== "photo";
    photo.element.hidden = mode !== "photo" || !photo.hasPicture;
    rotate.hidden = !photo.hasPicture;
    toVideo.hidden = !found || obstacle() !== null;
    again.hidden = missing() >= 0;
    for (const [at, node] of faces.entries()) {
      const { face } = HOLDS[at];
      const start = 9 * FACES.indexOf(face);
      paintTiles(node.children[0], isScanned(at) ? /** @type {Rgb[]} */ (samples.slice(start, start + 9)) : null);
      node.ariaLabel = isScanned(at) ? phrases.scanned(PLACES[face]) : phrases.notScanned(PLACES[face]);
      node.title = node.ariaLabel;
      node.ariaCurrent = at === active ? "step" : null;
    }
    tick();
  }

  /** Shows the live colours, and captures a steady face if that is wanted. */
  function tick() {
    const sampled = mode === "video" ? camera.sample() : photo.sample();
    paintTiles(live, sampled && sampled.colours);
    live.classList.toggle("mirrored", mode === "video" && mirrored);
    capture.disabled = !sampled;
    if (mode !== "video" || !sampled) return;
    const { colours, spread } = sampled;
    const change = before
      ? Math.max(...colours.flat().map((value, at) => Math.abs(value - (before?.flat()[at] ?? 0))))
      : 255;
    before = colours;
    steady = change <= STEADY.change && spread <= STEADY.spread ? steady + 1 : 0;
    if (change > 4 * STEADY.change) armed = true;
    if (!automatic.checked || !armed || steady < STEADY.ticks) return;
    if (!twin(colours[4])) take();
  }

  /** The place of another face whose centre looks like this one. @param {Rgb} centre */
  function twin(centre) {
    const other = HOLDS.find(({ face }, at) => {
      const scanned = samples[centreOf(face)];
      return at !== active && scanned && distance(scanned, centre) < NEW_CENTRE;
    });
    return other && PLACES[other.face];
  }

  function take() {
    const sampled = mode === "video" ? camera.sample() : photo.sample();
    if (!sampled) return;
    const same = twin(sampled.colours[4]);
    if (same && warned !== active) {
      warned = active;
      status.textContent = phrases.thisLooksLikeTheFace(same);
      return;
    }
    warned = -1;
    for (const [cell, at] of stickersOf(HOLDS[active]).entries()) samples[at] = sampled.colours[cell];
    [steady, armed, last] = [0, false, active];
    const done = HOLDS[active].face;
    const next = missing();
    if (next < 0) return void read();
    active = next;
    photo.clear();
    draw();
    status.textContent = phrases.theFaceIsStored(PLACES[done]);
    if (mode === "photo") file.focus();
  }

  /** @param {number} at */
  function go(at) {
    if (last !== at - 1) last = -1;
    [active, warned] = [at, -1];
    photo.clear();
    draw();
    status.textContent = "";
    if (mode === "video" && !camera.running) void startCamera();
    (mode === "photo" ? file : heading).focus();
  }

  async function read() {
    camera.stop();
    photo.clear();
    status.textContent = phrases.theServiceReadsTheColours;
    try {
      const all = /** @type {Rgb[]} */ (samples);
      const reading = await readScan(all, { api, palette });
      if (!root.isConnected) return;
      status.textContent = "";
      showWork(false);
      showReview(review, { reading, api, palette, onAccept: accept, onAgain: scanAgain });
    } catch (/** @type {any} */ problem) {
      draw();
      status.textContent = problem.detail ?? String(problem.message ?? problem);
      again.focus();
    }
  }

  /** Shows the faces, or else the net to correct. @param {boolean} on */
  function showWork(on) {
    work.hidden = !on;
    review.hidden = on;
    root.dataset.mode = on ? mode : "review";
  }

  async function scanAgain() {
    [active, last] = [0, -1];
    showWork(true);
    if (mode === "video") await startCamera(devices.value);
    else draw();
    status.textContent = phrases.chooseAFaceToScan;
    heading.focus();
  }

  /** @param {boolean} on */
  function setMirrored(on) {
    mirror.checked = mirrored = camera.mirrored = on;
    draw();
  }

  /** @param {string} reason */
  function toPhotos(reason) {
    camera.stop();
    [mode, status.textContent] = ["photo", ""];
    why.textContent = reason === phrases.takeOnePhotoOfEach ? reason : phrases.takePhotosInstead(reason);
    draw();
    void hasCamera().then((has) => {
      found = has;
      draw();
    });
  }

  /** @param {string} [device] */
  async function startCamera(device) {
    const problem = obstacle();
    if (problem) return toPhotos(problem);
    mode = "video";
    draw();
    status.textContent = phrases.theCameraStartsAllowIt;
    try {
      await camera.start(device);
    } catch (/** @type {any} */ error) {
      return root.isConnected ? toPhotos(error.message) : undefined;
    }
    if (!camera.running) return;
    status.textContent = "";
    setMirrored(camera.facesUser);
    const list = await cameras();
    devices.replaceChildren(
      ...list.map(({ label, deviceId }, at) => new Option(label || phrases.numberedCamera(at + 1), deviceId)),
    );
    devices.value = camera.device;
    devices.hidden = list.length < 2;
  }

  async function choose() {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    try {
      await photo.show(chosen);
      status.textContent = phrases.placeTheGrid;
    } catch (/** @type {any} */ error) {
      status.textContent = error.message;
    }
    draw();
    if (photo.hasPicture) photo.element.focus();
  }

  /** Runs the camera only while the scan can be seen. */
  function onVisibility() {
    const now = document.visibilityState === "visible" && root.offsetWidth > 0;
    if (now === seen) return;
    seen = now;
    if (!seen) camera.stop();
    else if (mode === "video" && !work.hidden) void startCamera(devices.value);
  }

  /** Keys of the scan. The page does not see them, because its keys turn the cube. @param {KeyboardEvent} event */
  function onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    event.stopPropagation();
    if (event.key !== " " || event.repeat || work.hidden || target.closest("button, input, select, a")) return;
    event.preventDefault();
    take();
  }

  function stop() {
    camera.stop();
    clearInterval(timer);
    observer.disconnect();
    document.removeEventListener("visibilitychange", onVisibility);
    root.remove();
  }

  function end() {
    stop();
    onClose();
    if (opener instanceof HTMLElement) opener.focus();
  }

  /** @param {string} stickers */
  function accept(stickers) {
    onCube(stickers);
    end();
  }

  const timer = setInterval(() => mode === "video" && camera.running && tick(), TICK);
  const observer = new ResizeObserver(onVisibility);
  document.addEventListener("visibilitychange", onVisibility);
  root.addEventListener("keydown", onKey);
  root.addEventListener("cancel", (event) => {
    event.preventDefault();
    end();
  });
  element.append(root);
  draw();
  showWork(true);
  void loadStyle().then(() => {
    if (!root.isConnected) return;
    root.showModal();
    observer.observe(root);
    heading.focus();
  });
  return { close: end };
}
