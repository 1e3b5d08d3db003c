// The cube in space by itself: animations, gestures, and the time that a frame takes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Service, launch, visit } from "../browser.mjs";

let service;
let browser;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Opens a page with nothing but a cube, as `view`, and the functions of the cube, as `cube`. */
function visitCube(context, steps) {
  return visit(browser, service, { context }, async (page) => {
    await page.evaluate(async () => {
      const { CubeView } = await import("/web/cube/cube-view.js");
      const cube = await import("/web/cube/cube.js");
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.id = "alone";
      for (const [name, value] of [
        ["width", "600"],
        ["height", "600"],
      ])
        svg.setAttribute(name, value);
      document.body.replaceChildren(svg);
      const view = new CubeView(svg);
      const events = [];
      for (const name of ["sticker", "move"])
        view.addEventListener(name, ({ detail }) => events.push({ name, ...detail }));
      const state = (moves) => cube.applyMoves(cube.SOLVED, cube.parseMoves(moves));
      Object.assign(window, { view, cube, events, state });
    });
    await steps(page);
  });
}

/** The middle of a sticker on the screen. */
async function middle(page, index) {
  const { x, y, width, height } = await page.locator(`#alone [data-index="${index}"]`).boundingBox();
  return [x + width / 2, y + height / 2];
}

test("a move can be interrupted, and its time depends on its angle", async () => {
  await visitCube({}, async (page) => {
    const result = await page.evaluate(async () => {
      const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const first = view.showMove("R");
      await wait(40);
      const second = view.showMove("U");
      const whole = [await first, await second];
      const times = [];
      for (const move of ["F", "F2"]) {
        const begin = performance.now();
        await view.showMove(move);
        times.push(performance.now() - begin);
      }
      return { whole, times };
    });
    assert.deepEqual(result.whole, [false, true]);
    const [quarter, half] = result.times;
    assert(quarter >= 180 && quarter < 1000, `a quarter turn takes ${quarter} ms`);
    assert(half >= 260 && half < 1000, `a half turn takes ${half} ms`);
  });
});

test("stickers that one move changes are animated, others are not; the same polygons are used", async () => {
  await visitCube({}, async (page) => {
    const result = await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const points = () => document.querySelector("#alone [data-index='11']").getAttribute("points");
      const before = [...document.querySelectorAll("#alone polygon")];
      await frame();
      const still = points();
      view.setStickers(state("R"));
      const moving = points();
      await frame();
      // The next move is animated too, although the first one has not ended.
      view.setStickers(state("R D"));
      const next = document.querySelector("#alone [data-index='16']");
      const early = next.getAttribute("points");
      await frame();
      const goesOn = early !== next.getAttribute("points");
      view.setStickers(state("R D U2 F"));
      await frame();
      const jumped = points();
      view.rotate(140, -70);
      await view.showMove("M");
      view.setStickers(state("R D U2 F M"));
      await frame();
      const now = new Set(document.querySelectorAll("#alone polygon"));
      return {
        moves: moving !== still,
        goesOn,
        jumps: jumped === still,
        kept: before.length === now.size && before.every((node) => now.has(node)),
      };
    });
    assert.deepEqual(result, { moves: true, goesOn: true, jumps: true, kept: true });
  });
});

test("a short drag goes back, a long one turns the layer under the pointer", async () => {
  await visitCube({}, async (page) => {
    const drag = async (index, dx, dy) => {
      const [x, y] = await middle(page, index);
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let step = 1; step <= 10; step += 1) await page.mouse.move(x + (dx * step) / 10, y + (dy * step) / 10);
      await page.mouse.up();
      await page.waitForTimeout(600);
    };
    // The right column of the front up and down, its upper row to both sides, the right face down, and the middle of
    // the top.
    for (const [index, dx, dy] of [
      [23, 0, -140],
      [23, 0, 140],
      [18, 140, 40],
      [18, -140, -40],
      [12, 0, 140],
      [4, 120, 50],
    ])
      await drag(index, dx, dy);
    await drag(23, 0, -25);
    const moves = await page.evaluate(() => events.map(({ move }) => move));
    assert.deepEqual(moves, ["R", "R'", "U'", "U", "F", "S"]);
  });
});

test("a tap is a sticker; two fingers and the wheel zoom", async () => {
  await visitCube({ hasTouch: true }, async (page) => {
    await page.touchscreen.tap(...(await middle(page, 22)));
    assert.deepEqual(await page.evaluate(() => events), [{ name: "sticker", index: 22 }]);
    const width = async () => Number((await page.locator("#alone").getAttribute("viewBox")).split(" ")[2]);
    const start = await width();
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((x, id) => ({ x, y: 300, id })) });
    await touch("touchStart", 250);
    await touch("touchStart", 250, 350);
    for (const by of [10, 20, 30, 40, 50]) await touch("touchMove", 250 - by, 350 + by);
    await touch("touchEnd");
    const pinched = await width();
    assert(Math.abs(pinched / start - 0.5) < 0.01, `fingers twice as far apart: ${pinched / start}`);
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, 300);
    await page.waitForFunction(
      (old) => Number(document.querySelector("#alone").getAttribute("viewBox").split(" ")[2]) > old,
      pinched,
    );
    assert.equal((await page.evaluate(() => events)).length, 1);
  });
});

test("a frame takes less than 4 ms of script", async () => {
  await visitCube({}, async (page) => {
    const times = await page.evaluate(async () => {
      const times = [];
      const draw = view.draw.bind(view);
      view.draw = () => {
        const begin = performance.now();
        draw();
        times.push(performance.now() - begin);
      };
      view.setSymbols(true);
      for (const move of ["R", "U'", "F2", "M", "Rw", "y"]) {
        await view.showMove(move);
        view.rotate(20, 5);
      }
      return times.sort((a, b) => a - b);
    });
    const median = times[Math.floor(times.length / 2)];
    assert(times.length > 20 && median < 4, `${times.length} frames, median ${median} ms`);
  });
});

test("the hidden faces float behind the cube if they are wanted, and all fit into the picture", async () => {
  await visitCube({}, async (page) => {
    const seen = page.locator("#alone .sticker:visible");
    assert.equal(await seen.count(), 27);
    await page.evaluate(() => view.setHints(true));
    await page.waitForFunction(() => document.querySelectorAll("#alone .hint").length === 27);
    assert.equal(await seen.count(), 54);
    const picture = await page.locator("#alone").boundingBox();
    for (const yaw of [0, 25, 50, 75])
      for (const pitch of [-50, 0, 40]) {
        await page.evaluate(([yaw, pitch]) => view.look({ yaw, pitch }), [yaw, pitch]);
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        const boxes = await seen.evaluateAll((nodes) =>
          nodes.map((node) => node.getBoundingClientRect()).map(({ x, y, right, bottom }) => [x, y, right, bottom]),
        );
        for (const [x, y, right, bottom] of boxes) {
          assert(x >= picture.x && y >= picture.y, `${yaw} ${pitch}`);
          assert(right <= picture.x + picture.width && bottom <= picture.y + picture.height, `${yaw} ${pitch}`);
        }
      }
    await page.evaluate(() => view.setHints(false));
    await page.waitForFunction(() => document.querySelectorAll("#alone .hint:not([display])").length === 0);
  });
});

test("the faces differ in brightness by a few per cent, and the corners of stickers are round", async () => {
  await visitCube({}, async (page) => {
    const levels = await page.evaluate(() => {
      view.setStickers("U".repeat(54));
      view.draw();
      const fillOf = (index) => getComputedStyle(document.querySelector(`#alone [data-index="${index}"]`)).fill;
      return [4, 22, 13].map((index) => Number(/rgb\((\d+)/.exec(fillOf(index))[1]) / 255);
    });
    const [top, front, right] = levels;
    assert(top > 0.97 && front < top - 0.02 && right < front - 0.02 && right > 0.85, levels.join());
    // No corner of the outline turns by more than 20 degrees.
    const turns = await page.evaluate(() => {
      view.look({ yaw: 0, pitch: 0 });
      view.draw();
      const text = document.querySelector('#alone [data-index="22"]').getAttribute("points");
      const points = text.split(" ").map((point) => point.split(",").map(Number));
      const directions = points.map(([x, y], n) => {
        const [nextX, nextY] = points[(n + 1) % points.length];
        return Math.atan2(nextY - y, nextX - x);
      });
      return directions.map((angle, n) => {
        const turn = Math.abs(angle - directions.at(n - 1));
        return (Math.min(turn, 2 * Math.PI - turn) * 180) / Math.PI;
      });
    });
    assert(Math.max(...turns) < 20, turns.join());
  });
});
