/** A colour of the palette: U is white by default, R red, F green, D yellow, L orange, B blue. */
export type Colour = "U" | "R" | "F" | "D" | "L" | "B";
export type Palette = Record<Colour, string>;

export interface Solution {
  moves: string[];
  /** What a robot does for each move, if the moves are the schedule of a robot. They then contain rotations of the whole cube. */
  actions?: string[];
  length: number;
  lowerBound: number;
  proven: boolean;
  elapsedUs: number;
  /** Whether the page has found it itself, while the service was gone. */
  isLocal?: boolean;
}

export interface Violation {
  code: string;
  message: string;
  stickers: number[];
}

/** A legal cube, and the stickers that it changes. */
export interface Repair {
  facelets: string;
  changed: number[];
}

/** A problem document of the service. `status` is 0 when the service could not be reached. */
export interface ProblemFields {
  status: number;
  code: string;
  detail: string;
  title?: string;
  position?: number;
  field?: string;
  format?: string;
  nearest?: string;
  completions?: string;
  retry_after_s?: number;
  violations?: Violation[];
  repairs?: {
    distance: number;
    repairs: Repair[];
    total: string;
    truncated: boolean;
    turned_faces?: { face: string; turns: number; facelets: string }[];
    centres?: Repair[];
  };
  readings?: {
    format?: string;
    facelets: string;
    order?: string;
    turns?: number[];
  }[];
  progress?: { stage: string; table: string; permille: number };
}

/** A cube that is shown in place of the others while the pointer or the focus is on its button. */
export interface Preview {
  stickers: string;
  /** Stickers that are marked, 0 to 53. */
  changed: number[];
  /** Stickers that the page guessed, 0 to 53. */
  guessed?: number[];
  /** The scramble that leads to the cube. A turn makes it the cube of the page. */
  scramble?: string;
}

export interface State {
  /** The cube at the start of the solution: 54 characters of URFDLB and `?`. */
  stickers: string;
  /** Whether the cube is the one of the first screen, which the user has not given or changed. */
  example: boolean;
  /** The painted stickers, if the others followed from them. */
  filled: string | null;
  /** Whether the user is asked to compare the stickers that followed with the real cube. */
  comparing: boolean;
  /**
   * While the user shows how the real cube differs from the page: `paint` while stickers are painted, `answer` while the page asks about a
   * cube.
   */
  lost: "paint" | "answer" | null;
  palette: Palette;
  /** The moves that led to `stickers` from the solved cube, if it was given or made that way. */
  scramble: string | null;
  /** The last move that was made on the page and led to `stickers`, if one did. */
  turned: string | null;
  preview: Preview | null;
  /** Letters on the stickers. */
  symbols: boolean;
  /** Whether the stickers of the hidden faces float behind the cube. */
  hints: boolean;
  /** Stickers of a violation, 0 to 53. */
  marks: number[];
  cursor: number | null;
  solution: Solution | null;
  /** Number of moves of the solution that are made. */
  step: number;
  /** Whether the steps play by themselves. follow/ does it; Space toggles it. */
  playing: boolean;
  /** How much of the solution is shown. */
  reveal: "all" | "next" | "length";
  mode: "solve" | "scramble" | "lab";
  /** The open tab of the laboratory, and its open coordinate; empty for the first. */
  tab: "coordinates" | "solution" | "tables";
  coordinate: string;
  /** Stickers of the pieces that the open coordinate describes; null for none in particular. */
  focus: Set<number> | null;
  painting: boolean;
  /** Raised by one to ask for a solution of `stickers`; follow/ answers with `solution` or `problem`. */
  wanted: number;
  /** Raised by one to ask for a longer search; follow/ answers with a shorter `solution`, if it finds one. */
  longer: number;
  solving: boolean;
  /** Whether the tables are loaded, and how far they are. */
  ready: boolean;
  progress: { stage: string; table: string; permille: number } | null;
  /** The table for proofs; null if the service has none. */
  prover: { status: "starting" | "ready" | "failed"; progress?: { permille: number } } | null;
  online: boolean;
  /** A sentence for the status line. */
  message: string;
  problem: ProblemFields | null;
}

export interface Store {
  get(): State;
  set(patch: Partial<State>): void;
  /** Calls `fn` after each change; returns a function that ends it. */
  subscribe(fn: (state: State, changed: Set<keyof State>) => void): () => void;
}

export interface StreamEvent {
  event: "solution" | "lower_bound" | "result" | "problem";
  data: any;
}

/** Answers a request in place of the service; null if it cannot. */
export type Local = (path: string, fields: Record<string, any>) => Promise<any>;

export interface Api extends EventTarget {
  local: Local | null;
  instead(error: any, path: string, fields: Record<string, any>): Promise<any>;
  get(path: string, params?: Record<string, string | number>, init?: RequestInit): Promise<any>;
  post(path: string, body: unknown, init?: RequestInit): Promise<any>;
  /** Reads a stream of Server-Sent Events, such as `POST /solve/stream`; resolves after its last event. */
  stream(
    path: string,
    body: unknown,
    options: {
      onEvent: (event: StreamEvent["event"], data: any) => void;
      signal?: AbortSignal;
    },
  ): Promise<void>;
  watchReady(): void;
}
