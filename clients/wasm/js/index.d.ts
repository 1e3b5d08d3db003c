/** A solution, which was checked on the cube. */
export interface Solution {
  /** The moves in Singmaster notation, separated by spaces. */
  solution: string;
  moves: string[];
  length: number;
  /** No solution has fewer moves. */
  lower_bound: number;
  proven_optimal: boolean;
}

export interface SolveOptions {
  /** The search ends at the first solution of at most this number of moves, 0 to 30 (default: 21). */
  targetLength?: number;
  /** Maximum number of moves, 0 to 30 (default: 30). */
  maxLength?: number;
  /** Time after which the search answers with its best solution, in milliseconds, 0 to 3 600 000 (default: 10 000). */
  timeLimitMs?: number;
}

/** Solves a cube in any text form: a scramble, 54 facelets, and the forms of other programs. Throws a `SuperflipError` if it is no possible cube. */
export function solve(cube: string, options?: SolveOptions): Solution;

/** Returns a random-state scramble: each cube has the same probability. */
export function scramble(): string;

/** Writes a cube in another form, such as `facelets`, `reid` or `b32`. */
export function convert(cube: string, form: string): string;

/** Draws a cube as SVG. */
export function draw(cube: string, options?: { view?: "" | "plan" | "trans" }): string;
