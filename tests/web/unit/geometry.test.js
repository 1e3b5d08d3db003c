// The projection against hand computation, and the order of drawing against rays through the eye.
import assert from "node:assert/strict";
import { test } from "node:test";
import { STICKERS, layerAt } from "../../../web/cube/cube.js";
import { BODY, multiply, polygons, project, projectAll, rotation } from "../../../web/cube/geometry.js";

/** @param {number[]} actual @param {number[]} expected */
const near = (actual, expected) =>
  actual.forEach((value, i) => assert(Math.abs(value - expected[i]) < 1e-9, `${actual} is not ${expected}`));

test("perspective without rotation", () => {
  // A point half an edge in front of the centre is 4.5 edges away from an eye at 5.
  const [corner, back] = project(
    [
      [1.5, 1.5, 1.5],
      [-1.5, 1.5, -1.5],
    ],
    { rotations: [], distance: 5 },
  );
  near(corner, [(0.5 * 5) / 4.5, (-0.5 * 5) / 4.5]);
  near(back, [(-0.5 * 5) / 5.5, (-0.5 * 5) / 5.5]);
});

test("rotations have the sense of the moves x, y and z", () => {
  // After y, the right face is in front; after x, the front face is on top; after z, the top face is at the right.
  near(project([[1.5, 0, 0]], { rotations: [["y", 90]] })[0], [0, 0]);
  near(project([[0, 0, 1.5]], { rotations: [["x", 90]] })[0], [0, -0.5]);
  near(project([[0, 1.5, 0]], { rotations: [["z", 90]] })[0], [0.5, 0]);
});

test("the projection is VisualCube's", () => {
  // Stickers of its picture with the default view. It moves their corners to the middle between two opposite ones, by
  // 0.85.
  const known = /** @type {[number, number[]][]} */ ([
    [0, [0, -0.74757, 0.19599, -0.66277, 0, -0.57124, -0.19599, -0.66277]],
    [8, [0, -0.2907, 0.23137, -0.1733, 0, -0.04481, -0.23137, -0.1733]],
    [9, [0.01957, -0.01096, 0.25094, -0.13946, 0.24139, 0.12673, 0.01957, 0.26172]],
  ]);
  for (const [index, points] of known) {
    const corners = project(STICKERS[index].corners);
    const middle = [0, 1].map((i) => (corners[0][i] + corners[2][i]) / 2);
    const found = corners.flatMap((corner) => corner.map((value, i) => middle[i] + 0.85 * (value - middle[i])));
    assert(
      found.every((value, i) => Math.abs(value - points[i]) < 1e-5),
      `${index}: ${found}`,
    );
  }
});

test("the usual view shows the top, and the front at the left", () => {
  const [urf, front, right, up] = project([
    [1.5, 1.5, 1.5],
    [0, 0, 1.5],
    [1.5, 0, 0],
    [0, 1.5, 0],
  ]);
  assert(Math.abs(urf[0]) < 1e-9);
  assert(front[0] < 0 && right[0] > 0 && up[1] < 0);
});

/** Numbers of a fixed sequence, between 0 and 1. */
function random() {
  let state = 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** @param {number[][]} corners @param {number[]} point */
function inside(corners, [x, y]) {
  let result = false;
  corners.forEach(([ax, ay], n) => {
    const [bx, by] = corners[(n + 1) % corners.length];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) result = !result;
  });
  return result;
}

/** Where a ray from the eye meets a square: the distance along the ray, or infinity. */
function hit(eye, ray, square) {
  const [a, b, , d] = square;
  const sub = (p, q) => p.map((value, i) => value - q[i]);
  const dot = (p, q) => p.reduce((sum, value, i) => sum + value * q[i], 0);
  const [u, v] = [sub(b, a), sub(d, a)];
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const t = dot(sub(a, eye), normal) / dot(ray, normal);
  const at = sub(
    eye.map((value, i) => value + t * ray[i]),
    a,
  );
  const [s, r] = [dot(at, u) / dot(u, u), dot(at, v) / dot(v, v)];
  return t > 0 && s > 0 && s < 1 && r > 0 && r < 1 ? t : Infinity;
}

test("what is drawn last is what a ray from the eye meets first", () => {
  const next = random();
  const cells = STICKERS.map(({ corners }) => corners);
  const layers = [[1], [-1], [0], [0, 1], [-1, 0], [-1, 0, 1], []];
  const apply = (m, p) => [0, 3, 6].map((n) => m[n] * p[0] + m[n + 1] * p[1] + m[n + 2] * p[2]);
  const seen = { sticker: 0, body: 0, nothing: 0 };
  for (let round = 0; round < 300; round++) {
    const matrix = multiply(rotation(0, next() * 180 - 90), rotation(1, next() * 360));
    const view = { matrix, distance: 1.2 + next() * 6 };
    const turning = { axis: round % 3, layers: layers[round % 7], angle: next() * 360 - 180 };
    const list = polygons(view, turning, cells);
    // All squares in the space of the viewer: stickers, and the sides of the cuts that belong to each layer.
    const turned = multiply(matrix, rotation(turning.axis, turning.angle));
    const squares = cells.map((corners, index) => {
      const turns = turning.layers.includes(layerAt(STICKERS[index].center[turning.axis]));
      return corners.map((corner) => apply(turns ? turned : matrix, corner));
    });
    for (const layer of [-1, 0, 1])
      for (const plane of [layer - 0.5, layer + 0.5].filter((value) => Math.abs(value) < 1))
        squares.push(
          [
            [-1.5, -1.5],
            [1.5, -1.5],
            [1.5, 1.5],
            [-1.5, 1.5],
          ].map(([b, c]) => {
            const point = [0, 0, 0];
            point[turning.axis] = plane;
            point[(turning.axis + 1) % 3] = b;
            point[(turning.axis + 2) % 3] = c;
            return apply(turning.layers.includes(layer) ? turned : matrix, point);
          }),
        );
    for (let n = 0; n < 20; n++) {
      const point = [next() * 1.6 - 0.8, next() * 1.6 - 0.8];
      const top = list.findLast(({ points, front }) => front && inside(points, point))?.index;
      const eye = [0, 0, 3 * view.distance];
      const ray = [3 * point[0], -3 * point[1], -eye[2]];
      const distances = squares.map((square) => hit(eye, ray, square));
      const nearest = Math.min(...distances);
      const first = nearest === Infinity ? undefined : distances.indexOf(nearest);
      const kind = (index) => (index === undefined ? "nothing" : index < BODY ? "sticker" : "body");
      assert.equal(kind(top), kind(first), `round ${round}, point ${n}`);
      if (kind(top) === "sticker") assert.equal(top, first, `round ${round}, point ${n}`);
      seen[kind(top)] += 1;
    }
  }
  assert(seen.sticker > 2000 && seen.body > 40 && seen.nothing > 500, JSON.stringify(seen));
});

test("polygons of stickers lie in their cells", () => {
  const view = { matrix: multiply(rotation(0, 30), rotation(1, -34)), distance: 5 };
  const list = polygons(view);
  assert.equal(list.filter(({ index }) => index < BODY).length, 54);
  for (const { index, points, front } of list) {
    if (!front || index >= BODY) continue;
    const cell = projectAll(view, STICKERS[index].corners);
    assert(points.every((point) => inside(cell, point)));
  }
});
