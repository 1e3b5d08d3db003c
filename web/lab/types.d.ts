// Shapes that the laboratory reads from the answers of the service; see /openapi.yaml.

export interface Alias {
  system: string;
  name: string;
  same_numbers: boolean;
}

/** An entry of `GET /coords`; with histograms in `GET /coords/{name}`. */
export interface Space {
  name: string;
  kind: string;
  size: number;
  classes: number | null;
  group: string;
  symmetries: number;
  subgroup: string;
  solved: number;
  aliases: Alias[];
  depth_reason: string | null;
  depth_reason_qtm: string | null;
  depth_histogram: number[] | null;
}

/** A coordinate of a cube. */
export interface CubeValue {
  name: string;
  value: number | null;
  reason?: string;
  class?: number;
  symmetry?: number;
}

export interface Direction {
  axis: string;
  inverse: boolean;
  phase_one_distance: number;
  phase_two_bound: number | null;
}

export interface CubeAnswer {
  coordinates: CubeValue[];
  directions?: Direction[];
}

export interface Catalogue {
  coordinates: Space[];
  constructions: { example: string }[];
}

export interface Neighbour {
  move: string;
  value: number | null;
  distance: number | null;
  leads: string | null;
}

/** `GET /coords/{name}/{value}` */
export interface ValueAnswer {
  value: number;
  offset: number | null;
  equivalent: number[] | null;
  facelets: string;
  class: {
    class: number | null;
    symmetry: number;
    representative: number;
    orbit: number;
    self_symmetries: number[];
  } | null;
  distance: number | null;
  distance_reason: string | null;
  to_solved: string | null;
  neighbours: Neighbour[];
}

export interface Symmetry {
  description: string;
  moves: string[];
}

export interface Position {
  move: string | null;
  moves_left: number;
  phase: number | null;
  bounds: Direction[];
  lower_bound: number;
  exact: number | null;
}

/** `POST /explain` */
export interface Explained {
  lengths: { htm: number; qtm: number; stm: number };
  lower_bound: number;
  proven_optimal: boolean;
  reading: { axis: string; inverse: boolean };
  shortest: { proven_from: number };
  steps: Position[];
}

export interface Axis {
  count: number;
  name: string;
  meaning: string;
}

export interface Table {
  name: string;
  purpose: string;
  rows: Axis;
  columns: Axis;
  entries: number;
  bits: number;
  bytes: number;
  encoding: string;
  depth_histogram: number[];
  published: { of: string; agrees: boolean } | null;
}

/** `GET /tables` */
export interface Tables {
  tables: Table[];
  profile: string;
}

export interface TableRow {
  from: number;
  left: number;
  entries: number[];
  decoded: Record<string, unknown>[] | null;
}

/** A row of the table of coordinates. Rows without `open` cannot be opened. */
export interface Row {
  key: string;
  name: string;
  text: string;
  note: string;
  words: string;
  open?: CubeValue;
}

export interface Group {
  title: string;
  rows: Row[];
}

export type NumberText = (value: number) => string;
export type AddRow = (
  title: string,
  name: string,
  text: string,
  note: string,
  words?: string,
  open?: CubeValue,
) => void;

/** The groups of the table of coordinates; `cubies` are the four arrays of the cube, `spaces` coordinates that were opened. */
export type GroupsOf = (
  catalogue: Catalogue,
  cube: CubeAnswer,
  composed: CubeValue[],
  cubies: Record<string, number[]>,
  spaces: Map<string, Space>,
) => Group[];

/** Keys of the rows whose text differs. */
export type Changes = (before: Group[], after: Group[]) => Set<string>;

/** Whether every word of the filter occurs in the words of a row. */
export type Matches = (row: Row, filter: string) => boolean;

/**
 * The answer for the representative of a class, with its moves renamed to those of a cube in this class. `seen` are the 18
 * moves as seen by the representative: `moves` of the symmetry of the cube.
 */
export type Renamed = (answer: ValueAnswer, seen: string[]) => ValueAnswer;

/** Place of a move on the rings, in percent of the width: nearer moves on the inner ring, farther ones on the outer. */
export type Place = (index: number, leads: string | null) => [x: number, y: number];

/** Height on a logarithmic scale, 1 for the greatest count. The scale starts at 1/2, so that a single value has a bar. */
export type LogHeight = (count: number, greatest: number) => number;

/** Powers of ten up to the greatest count, evenly spaced on the scale, at most five. */
export type Ticks = (greatest: number) => number[];

/** What a histogram of distances shows, in words; `mark` is the distance of the value that is shown. */
export type Describe = (histogram: number[], noun: string, mark: number | null) => string;

/** Runs of moves of one phase in a solution: first and last move, counted from 1. */
export type Phases = (steps: { phase: number | null }[]) => { phase: number; from: number; to: number }[];

/** Requests that end with their channel. */
export interface Ask {
  get(path: string, params?: Record<string, string | number>): Promise<any>;
  post(path: string, body: unknown): Promise<any>;
}

/** Shows a sentence; an empty one clears the place. */
export type Say = (sentence: string) => void;

/**
 * A channel runs its newest request after a pause, one at a time, and drops the answers to older ones. It aborts the request
 * in flight, unless the new one is patient: the service stops building a table when the request for it is aborted. While the
 * service is gone, loading or busy, the channel repeats the request.
 */
export interface Channel {
  run<T>(request: (ask: Ask) => Promise<T>, done: (answer: T) => void, patient?: boolean): void;
  stop(): void;
}
export type CreateChannel = (api: Options["api"], say: Say, pause?: number) => Channel;

/** A place for a sentence. */
export type Speaker = () => { status: HTMLElement; say: Say };

/** A labelled field with a button. The service says what is wrong with the text. */
export type Field = (
  label: string,
  verb: string,
  onSubmit: (text: string) => void,
  props: object,
) => { input: HTMLInputElement; form: HTMLElement };

/** Makes the buttons in a container one tab stop once one has the focus: arrows, Home and End move between them. */
export type OneTabStop = (container: HTMLElement) => HTMLElement;

export type Fact = (term: string, ...text: (Node | string)[]) => HTMLElement[];
export type Svg = (
  tag: string,
  props?: Record<string, string | number>,
  ...children: (Node | string | false)[]
) => SVGElement;

/** A chart with grid lines at these heights; `label` is the text alternative. */
export type Chart = (label: string, levels: [y: number, text: string][], ...children: (Node | false)[]) => SVGElement;

/** A histogram of distances on a logarithmic scale, with its description. */
export type BarChart = (histogram: number[], noun: string, mark?: number | null) => HTMLElement;

/** A place in a chart. */
export type At = (value: number) => number;
export type GoTo = (step: number) => void;

export interface Options {
  store: import("../types").Store;
  api: import("../types").Api;
}

export type Mount = (element: HTMLElement, options: Options) => { unmount(): void };
