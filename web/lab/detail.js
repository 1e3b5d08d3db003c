// @ts-check
// One coordinate: a value with its class and distance, the 18 moves from it, and the distribution of all distances.

import { inColoursOf, setCube, makeMove } from "../actions.js";
import { button, h } from "../dom.js";
import { numberOfMoves } from "../follow/words.js";
import { full, place, renamed, MOVES } from "./model.js";
import { barChart, channel, fact, field, oneTabStop, speaker } from "./parts.js";
import { detail as phrases } from "../sentences.js";

/** @import * as T from "./types" */

/** What the page calls a move that leads `nearer`, `level` or `farther`. @param {string} leads */
const labelOf = (leads) => /** @type {Record<string, string>} */ (phrases.leads)[leads];

/** @param {T.Options} options @param {Map<string, T.Space>} spaces the coordinates that were opened */
export function createDetail({ store, api }, spaces) {
  /** The coordinate of the cube. @type {T.CubeValue} */
  let own = { name: "", value: null };
  /** A value that was entered or walked to, apart from the cube. @type {string | null} */
  let apart = null;
  /** @type {T.ValueAnswer | null} */
  let answer = null;
  /** @type {T.Symmetry[] | null} */
  let symmetries = null;

  const { status, say } = speaker();
  const requests = channel(api, say, 60);

  // The ring: nearer moves stand on the inner circle, farther ones on the outer.
  const center = h("p", { class: "center" });
  const ringButtons = MOVES.map((move) => button(move, () => walk(move)));
  const dial = h("div", { class: "dial", role: "toolbar", "aria-label": phrases.movesFromThisValue });
  for (const name of ["farther", "level", "nearer"])
    dial.append(h("p", { class: `circle ${name}` }, h("small", {}, labelOf(name))));
  dial.append(center, ...ringButtons);
  oneTabStop(dial);

  const title = h("h2");
  const subgroup = h("p", { class: "quiet" });
  const { input, form } = field(phrases.value, phrases.show, goTo, { type: "number", min: "0" });
  const take = () => answer && setCube(inColoursOf(answer.facelets, store.get().stickers));
  const ways = h("p", { class: "row", hidden: true });
  ways.append(
    button(phrases.backToTheCube, () => goTo(null)),
    button(phrases.useThisCube, take),
  );
  const downhill = button("", () => downhill.value && walk(downhill.value));
  const distance = h("p");
  const facts = h("dl");
  const chart = h("div");
  const known = h("div", { hidden: true }, dial, distance, downhill, facts);

  /** @param {string} move */
  function walk(move) {
    if (apart === null) makeMove(move);
    else goTo(String(answer?.neighbours.find((each) => each.move === move)?.value));
  }

  /** @param {string | null} value null is the value of the cube */
  function goTo(value) {
    apart = value;
    ways.hidden = value === null;
    load();
  }

  function load() {
    const { name, reason, symmetry = 0 } = own;
    const value = apart ?? own.value;
    const path = `/coords/${encodeURIComponent(name)}`;
    downhill.value = "";
    requests.run(
      async (ask) => {
        const [space, all, found] = await Promise.all([
          spaces.get(name) ?? ask.get(path),
          symmetries ?? ask.get("/symmetries").then((found) => found.symmetries),
          value === null ? null : ask.get(`${path}/${value}`),
        ]);
        symmetries = all;
        spaces.set(name, space);
        // An answer with an offset is that of the representative; the cube is seen through its symmetry.
        return apart === null && found?.offset === 0 ? { ...renamed(found, all[symmetry].moves), symmetry } : found;
      },
      (found) => {
        draw(found);
        if (!found) say(phrases.thisCubeHasNoValue(reason));
      },
      true,
    );
  }

  /** @param {T.ValueAnswer & {symmetry?: number} | null} found */
  function draw(found) {
    answer = found;
    const space = /** @type {T.Space} */ (spaces.get(own.name));
    subgroup.textContent = phrases.sizeOf(full(space.size), space.solved, space.subgroup);
    known.hidden = !found;
    chart.replaceChildren(
      space.depth_histogram
        ? barChart(
            space.depth_histogram,
            space.kind.startsWith("sym") ? phrases.states : phrases.values,
            found?.distance,
          )
        : h("p", { class: "quiet" }, phrases.noDistribution(space.depth_reason)),
    );
    if (!found) return;
    input.value = String(found.value);
    drawRing(found);
    const next = found.to_solved?.split(" ")[0];
    downhill.hidden = !next;
    downhill.value = next ?? "";
    downhill.textContent = phrases.makeTheNearerMove(next);
    distance.textContent = found.distance === null ? "" : phrases.proves(numberOfMoves(found.distance), found.distance);
    facts.replaceChildren(...factsOf(found, space));
  }

  /** @param {T.ValueAnswer} found */
  function drawRing({ neighbours, distance: now }) {
    center.replaceChildren(h("b", {}, String(now ?? "?")), now === 1 ? phrases.move : phrases.moves);
    for (const [index, { move, value, distance, leads }] of neighbours.entries()) {
      const item = ringButtons[index];
      const [left, top] = place(index, leads);
      item.style.left = `${left}%`;
      item.style.top = `${top}%`;
      item.className = leads ?? "";
      const seen = distance === null ? move : `${move} ${distance}`;
      item.replaceChildren(move, ...(distance === null ? [] : [" ", h("small", {}, String(distance))]));
      const to = value ?? phrases.noValue;
      item.title =
        distance === null
          ? phrases.moveTo(move, to)
          : phrases.moveToDistance(move, to, numberOfMoves(distance), labelOf(String(leads)));
      // The name begins with the text that is seen, for users who speak it.
      item.setAttribute("aria-label", phrases.ringLabel(seen, item.title));
    }
  }

  /** @param {T.ValueAnswer & {symmetry?: number}} found @param {T.Space} space */
  function* factsOf({ value, offset, class: part, equivalent, to_solved: way, symmetry }, space) {
    const link = (/** @type {number} */ to) => button(String(to), () => goTo(String(to)), { class: "link" });
    const named = (/** @type {number} */ index) => h("abbr", { title: symmetries?.[index].description }, `S${index} `);
    if (way) yield* fact(phrases.shortestWay, way);
    if (part) {
      if (part.class !== null)
        yield* fact(phrases.class, phrases.ofRawValues(full(part.class), full(space.classes ?? 0), part.orbit));
      // A sym-coordinate counts every class once for each symmetry.
      const first = space.kind === "sym" ? space.symmetries * (part.class ?? 0) : part.representative;
      yield* fact(
        phrases.representative,
        offset === null && first !== value ? link(first) : String(part.representative),
      );
      const index = symmetry ?? part.symmetry;
      yield* fact(phrases.symmetryUsed, named(index), symmetries?.[index].description ?? "");
      yield* fact(phrases.selfSymmetries, `${part.self_symmetries.length}: `, ...part.self_symmetries.map(named));
    }
    if (equivalent?.[1]) yield* fact(phrases.sameRawValue, ...equivalent.flatMap((each) => [link(each), " "]));
    for (const { system, name, same_numbers: same } of space.aliases)
      yield* fact(system, same ? name : phrases.otherNumbers(name));
  }

  return {
    element: h("section", { "aria-label": phrases.oneCoordinate }, title, subgroup, form, ways, status, known, chart),
    name: () => own.name,
    /** Opens a coordinate at the value of the cube. @param {T.CubeValue} value */
    open(value) {
      known.hidden = own.name !== value.name;
      if (known.hidden) requests.stop();
      own = value;
      title.textContent = value.name;
      subgroup.textContent = "";
      chart.replaceChildren();
      goTo(null);
    },
    /** The cube changed. @param {T.CubeValue} value */
    follow(value) {
      const same = own.value === value.value && own.symmetry === value.symmetry;
      own = value;
      if (apart === null && !same) load();
    },
    stop: requests.stop,
  };
}
