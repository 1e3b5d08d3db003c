// @ts-check
// The keyboard, and the dialog that lists all keys.

import { isPainting, makeMove } from "../actions.js";
import { button, h, isTextField } from "../dom.js";
import { store } from "../store.js";
import { keys as phrases } from "../sentences.js";

const LIST = [
  ["U R F D L B", phrases.turnThisFaceClockwise],
  ["M E S, X Y Z", phrases.turnSlice],
  [phrases.shiftAndALetter, phrases.turnInTheOtherDirection],
  [phrases.twoAfterALetter, phrases.makeItAHalfTurn],
  [phrases.arrows, phrases.look],
  ["0", phrases.lookHome],
  [phrases.space, phrases.playOrPauseTheSolution],
  [phrases.stopAndComma, phrases.nextMovePreviousMove],
  ["/", phrases.goToTheTextBox],
  [phrases.ctrlZCtrlY, phrases.undoRedo],
  [phrases.digitOrLetter, phrases.chooseColour],
  [phrases.deleteBackspace, phrases.clearSticker],
  ["?", phrases.showThisList],
];
const MOVES = "URFDLBMES";
const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-15, 0],
  ArrowRight: [15, 0],
  ArrowUp: [0, -15],
  ArrowDown: [0, 15],
});

/** Milliseconds in which a 2 belongs to the letter before it. */
const HALF = 1000;

/** @param {{cubeView: import("../cube/cube-view.js").CubeView, paint: {key: (event: KeyboardEvent) => boolean, undo: () => void, redo: () => void}, focusBox: () => void}} parts */
export function mountKeys({ cubeView, paint, focusBox }) {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, phrases.keys),
    h("dl", {}, ...LIST.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
    button(phrases.close, () => dialog.close(), { class: "primary" }),
  );
  document.body.append(dialog);
  let last = { move: "", time: 0 };

  /** Shows the dialog from its beginning: the focus goes to the button at its end. */
  function open() {
    dialog.showModal();
    dialog.scrollTop = 0;
  }

  /** @param {string} move */
  function make(move) {
    last = { move, time: performance.now() };
    makeMove(move);
  }

  /** @param {number} by */
  function step(by) {
    const { solution, step: at } = store.get();
    if (solution)
      store.set({
        step: Math.max(0, Math.min(solution.length, at + by)),
        playing: false,
      });
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key is used */
  function press(event) {
    const { key } = event;
    const letter = key.toUpperCase();
    if (event.ctrlKey || event.metaKey) {
      if (letter === "Z") (event.shiftKey ? paint.redo : paint.undo)();
      else if (letter === "Y") paint.redo();
      else return false;
      return true;
    }
    if (event.altKey) return false;
    if (paint.key(event)) return true;
    if (key === "?") open();
    else if (key === "/") focusBox();
    else if (ARROWS[key]) cubeView.rotate(...ARROWS[key]);
    else if (key === "." || key === ",") step(key === "." ? 1 : -1);
    else if (key === " ") {
      const { solution, playing } = store.get();
      if (event.target instanceof HTMLElement && event.target.closest("button, a, summary, input, [role=button]"))
        return false;
      if (!solution) return false;
      store.set({ playing: !playing });
    } else if (key === "0") cubeView.reset();
    else if (isPainting(store.get())) return false;
    else if (key === "2" && last.move && performance.now() - last.time < HALF) {
      makeMove(last.move);
      last.move = "";
    } else if (letter.length === 1 && MOVES.includes(letter)) make(letter + (event.shiftKey ? "'" : ""));
    else if (/^[XYZ]$/.test(letter)) make(letter.toLowerCase() + (event.shiftKey ? "'" : ""));
    else return false;
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || dialog.open || isTextField(event.target)) return;
    if (
      ARROWS[event.key] &&
      event.target instanceof HTMLElement &&
      event.target.closest("input, summary, [role=tablist], .scroll")
    )
      return;
    if (press(event)) event.preventDefault();
  });
  return { open };
}
