// @ts-check
// All sentences of the page, so that a translation is one file. Each group belongs to one module. A test finds sentences
// that stand elsewhere. Sentences of the service, such as the details of a problem, come from the service.

/** @typedef {string | number | null | undefined} Value a part of a sentence */

/** The language, for numbers. */
export const locale = "en";

/** Texts of index.html, which repeats them for the time before the modules are loaded. */
export const page = {
  title: "superflip: a Rubik's cube solver",
  description: "Solves any Rubik's cube: paste it, paint it or show it to the camera.",
  skip: "Skip to the input",
  modes: "Modes",
  solve: "Solve",
  scramble: "Scramble",
  laboratory: "Laboratory",
  api: "API",
  keys: "Keys",
  dark: "Dark",
  light: "Light",
  stage: "Cube and solution",
  reset: "Reset view",
  begin: "Solve my cube",
  scan: "Scan with the camera",
  paint: "Paint it",
  faces: "U top, R right, F front, D bottom, L left, B back. U1 to U9 are the stickers of U, row by row.",
  noscript: "This page needs JavaScript. The service answers programs without it: see /openapi.yaml.",
};

/** Texts of docs/index.html. */
export const contractPage = {
  title: "superflip: the API",
  description: "Every operation of the superflip API, with a form that sends requests.",
  skip: "Skip to the operations",
  dark: "Dark",
  light: "Light",
  operations: "Operations",
  filter: "Filter the operations",
  placeholder: "Path, word or error code",
  list: "List of operations",
  noscript: "This page needs JavaScript. The same text is in /openapi.yaml.",
};

/** Names of colours, in lower case. */
export const colours = {
  white: "white",
  yellow: "yellow",
  red: "red",
  orange: "orange",
  green: "green",
  blue: "blue",
  black: "black",
  grey: "grey",
  pink: "pink",
  purple: "purple",
  brown: "brown",
  lightBlue: "light blue",
  lightGreen: "light green",
  darkRed: "dark red",
  darkGreen: "dark green",
  darkBlue: "dark blue",
  cream: "cream",
  unpainted: "unpainted",
};

/** Moves in words. */
export const words = {
  top: "top",
  bottom: "bottom",
  front: "front",
  back: "back",
  left: "left",
  right: "right",
  up: "up",
  down: "down",
  toTheRight: "to the right",
  toTheLeft: "to the left",
  wholeCube: "the whole cube",
  face: (/** @type {Value} */ face) => `the ${face} face`,
  twoLayers: (/** @type {Value} */ face) => `the two layers at the ${face}`,
  nextSlice: (/** @type {Value} */ face) => `the slice next to the ${face} face`,
  oppositeFace: (/** @type {Value} */ face) => `the face opposite to the ${face} face`,
  sliceBetweenLeftAndRight: "the slice between left and right",
  sliceBetweenTopAndBottom: "the slice between top and bottom",
  sliceBetweenFrontAndBack: "the slice between front and back",
  turnTwice: (/** @type {Value} */ what) => `Turn ${what} twice`,
  turnClockwise: (/** @type {Value} */ what) => `Turn ${what} clockwise`,
  turnCounterclockwise: (/** @type {Value} */ what) => `Turn ${what} counterclockwise`,
  rotateTwice: (/** @type {Value} */ what) => `Rotate ${what} twice`,
  rotateClockwise: (/** @type {Value} */ what) => `Rotate ${what} clockwise`,
  rotateCounterclockwise: (/** @type {Value} */ what) => `Rotate ${what} counterclockwise`,
  seenFrom: (/** @type {Value} */ instruction, /** @type {Value} */ face) => `${instruction}, as seen from the ${face}`,
  edgeMoves: (/** @type {Value} */ edge, /** @type {Value} */ direction) => `Its ${edge} edge moves ${direction}`,
  faceMoves: (/** @type {Value} */ face, /** @type {Value} */ direction) => `Its ${face} face moves ${direction}`,
  moves: (/** @type {number} */ count) => `${count} ${count === 1 ? "move" : "moves"}`,
};

export const camera = {
  theCameraWasDisconnected: "The camera was disconnected.",
  camera: "Camera",
  rotateThePhoto: "Rotate the photo",
  usePhotos: "Use photos",
  takeOnePhotoOfEach: "Take one photo of each face.",
  useTheCamera: "Use the camera",
  readTheColoursAgain: "Read the colours again",
  mirrorTheView: "Mirror the view",
  captureAutomatically: "Capture automatically when held still",
  scannedFaces: "Scanned faces",
  scanOfTheCube: "Scan of the cube",
  scanTheCube: "Scan the cube",
  close: "Close",
  noPictureLeavesThisBrowser: "No picture leaves this browser, only 54 colours.",
  faceOf6: (/** @type {Value} */ number, /** @type {Value} */ face) => `Face ${number} of 6: ${face}`,
  useThisPhoto: "Use this photo",
  captureTheFace: (/** @type {Value} */ face) => `Capture the ${face} face`,
  space: "Space",
  photoOf: (/** @type {Value} */ face) => `Photo of the ${face} face`,
  anotherPhotoOf: (/** @type {Value} */ face) => `Another photo of the ${face} face`,
  scanned: (/** @type {Value} */ face) => `${face} face, scanned; scan it again`,
  notScanned: (/** @type {Value} */ face) => `${face} face, not scanned`,
  thisLooksLikeTheFace: (/** @type {Value} */ face) =>
    `This looks like the ${face} face again. Turn the cube, or capture it once more.`,
  theFaceIsStored: (/** @type {Value} */ face) => `The ${face} face is stored.`,
  theServiceReadsTheColours: "The service reads the colours.",
  chooseAFaceToScan: "Choose a face to scan it again.",
  takePhotosInstead: (/** @type {Value} */ reason) => `${reason} Take one photo of each face instead.`,
  theCameraStartsAllowIt: "The camera is starting. Allow it if the browser asks.",
  numberedCamera: (/** @type {Value} */ number) => `Camera ${number}`,
  placeTheGrid: "Place the grid on the nine stickers: drag it, or use the arrow keys, plus and minus.",
};

export const colour = {
  thisBrowserHasNoCanvas: "This browser has no canvas.",
};

export const cameraHolding = {
  photograph: (/** @type {Value} */ face) => `Photograph the ${face} face.`,
  tipForPhoto: (/** @type {Value} */ then) => `Tip the cube by a quarter turn: the scanned face goes up. ${then}`,
  tip: (/** @type {Value} */ face) =>
    `Tip the cube by a quarter turn: the scanned face goes up, the ${face} face comes to the camera.`,
  turn: (/** @type {Value} */ then) => `Turn the cube by a quarter turn, clockwise seen from above. ${then}`,
  photographAnyFace: "Photograph any face, for example white, any way up. It becomes the top of the cube on the page.",
  photographFaceBelow: (/** @type {Value} */ face, /** @type {Value} */ above) =>
    `Photograph the ${face} face, with the ${above} face above it.`,
  showAnyFace:
    "Fill the grid with any face, for example white, any way up. It becomes the top of the cube on the page.",
  showFaceBelow: (/** @type {Value} */ face, /** @type {Value} */ above) =>
    `Show the ${face} face to the camera, with the ${above} face above it.`,
  theTopStaysOnTop: "The top stays on top.",
};

export const photo = {
  theBrowserCannotReadThis: "The browser cannot read this file as a picture. Choose a JPEG or PNG file.",
  photoWithTheGridArrow: "Photo with the grid. Arrow keys move the grid, plus and minus resize it.",
};

export const reading = {
  compare: "Compare the net with the cube.",
  asScanned: "as scanned",
  swapped: (/** @type {Value} */ moved) => `The ${moved} faces were swapped. The page has put them back.`,
  oneRotated: (/** @type {Value} */ turned) => `The ${turned} face was scanned rotated. The page has turned it back.`,
  severalRotated: (/** @type {Value} */ turned) =>
    `The ${turned} faces were scanned rotated. The page has turned them back.`,
  theNextCube: "the next cube",
  compareMarked: "Compare the marked stickers with the cube.",
  probability: (/** @type {Value} */ percent) => `probability ${percent}`,
};

export const review = {
  possible: "This cube is possible. Compare the net with the cube.",
  possibleCubes: "Possible cubes",
  repairs: "Repairs",
  useThisCube: "Use this cube",
  checkTheCube: "Check the cube",
  tapToChange: "Tap a sticker to change its colour. Tap a centre to swap two colours everywhere.",
  clickToChange: "Click a sticker to change its colour. Click a centre to swap two colours everywhere.",
  scanFacesAgain: "Scan faces again",
  hold: (/** @type {Value} */ top, /** @type {Value} */ front) =>
    `To compare, hold the cube with ${top} on top (U) and ${front} in front (F).`,
  isScannedColour: (/** @type {Value} */ place, /** @type {Value} */ colour, /** @type {Value} */ doubt) =>
    `${place} is ${colour}${doubt}. Scanned colour: `,
  changeStickers: (/** @type {Value} */ count) => `change ${count} stickers`,
  cube: (/** @type {Value} */ number, /** @type {Value} */ stickers, /** @type {Value} */ label) =>
    `Cube ${number}: ${stickers} (${label})`,
  why: "Why",
  repair: (/** @type {Value} */ cube) => `Repair: ${cube}`,
  uncertain: ", uncertain",
  shown: "shown",
};

export const video = {
  insecurePage: (/** @type {Value} */ protocol, /** @type {Value} */ host) =>
    `Browsers give the camera only to pages on HTTPS or on localhost, and this page is on ${protocol}//${host}.`,
  unsupported: "This browser does not support camera access.",
  cameraBlocked: "The camera is blocked for this page. Allow it in the site settings of the browser, then try again.",
  noCamera: "This device has no camera.",
  cameraGone: "The chosen camera is not available.",
  cameraInUse: "The camera does not start. Another program may use it.",
  cameraFailed: (/** @type {Value} */ message) => `The camera does not start: ${message}.`,
  pictureOfTheCamera: "Picture of the camera",
};

export const answer = {
  waitingForTheAnswer: "Waiting for the answer",
  theServiceDoesNotAnswer: "The service does not answer. Check that it runs, and send the request again.",
  headers: "Headers",
  endedAfter: (/** @type {Value} */ start) => `ended after ${start}`,
  thePictureOfTheAnswer: "The picture of the answer",
  save: (/** @type {Value} */ size) => `Save ${size}`,
  andMoreCharacters: (/** @type {Value} */ value, /** @type {Value} */ rest) =>
    `${value}\n... and ${rest} more characters`,
  bodyOfTheAnswer: "Body of the answer",
  linesOfTheAnswer: "Lines of the answer",
};

export const contract = {
  membersOfAProblemDocument: "Members of a problem document",
  ofOperations: (/** @type {Value} */ count, /** @type {Value} */ all) => `${count} of ${all} operations`,
  sentWithEveryRequestOf: "Sent with every request of this page. Leave it empty if the server requires none.",
  loadingTheContract: "Loading the contract",
  theContractCannotBeLoaded: (/** @type {Value} */ message) => `The contract cannot be loaded: ${message}. `,
  tryAgain: "Try again",
  operations: (/** @type {Value} */ count) => `${count} operations`,
  apiKey: "API key",
};

export const operation = {
  copy: "Copy",
  copied: "Copied",
  stop: "Stop",
  stopped: "Stopped.",
  theConnectionClosedBeforeThe: "The connection closed before the answer was complete.",
  request: (/** @type {Value} */ toUpperCase, /** @type {Value} */ path) => `Request ${toUpperCase} ${path}`,
  parameters: "Parameters",
  send: "Send",
  accept: "Accept ",
  theRequestAsACurl: "The request as a curl command",
  notSent: "(not sent)",
  inThe: (/** @type {Value} */ place) => `, in the ${place}`,
  bodyOfTheRequest: "Body of the request",
  body: "Body",
  example: "Example ",
  contentType: "Content type ",
  membersOfTheBody: "Members of the body",
  membersOf: (/** @type {Value} */ name) => `Members of ${name}`,
  members: "Members",
  example2: "Example",
  headers: "Headers",
  responses: "Responses",
};

export const schema = {
  anyValues: "any values",
  listOf: (/** @type {Value} */ item) => `list of ${item}`,
  oneOfForms: (/** @type {Value} */ count) => `one of ${count} forms`,
  anyValue: "any value",
  atMost: (/** @type {Value} */ most, /** @type {Value} */ unit) => `at most ${most}${unit}`,
  atLeast: (/** @type {Value} */ least, /** @type {Value} */ unit) => `at least ${least}${unit}`,
  orNull: "or null",
  oneOf: "One of: ",
  example: "Example: ",
  membersOf: (/** @type {Value} */ schema) => `Members of ${schema}`,
  exactlyOneOf: "Exactly one of:",
  withAnyOfThese: "With any of these:",
  members: "Members",
  oneOf2: "One of:",
  fromTo: (/** @type {Value} */ least, /** @type {Value} */ most, /** @type {Value} */ unit) =>
    `${least} to ${most}${unit}`,
  items: " items",
  characters: " characters",
  pattern: (/** @type {Value} */ pattern) => `pattern ${pattern}`,
  byDefault: (/** @type {Value} */ value) => `default ${value}`,
  required: "required",
};

export const bounds = {
  label: "Bounds of the solution, as in the table",
  move: "Move",
  movesLeft: "Moves left",
  lowerBoundTables: "Lower bound (tables)",
  phase: "Phase",
  lengths: (/** @type {Value} */ moves, /** @type {Value} */ quarterTurns) =>
    `${moves}, ${quarterTurns} quarter turns. `,
  proven: (/** @type {Value} */ moves) => `The tables alone prove that every solution has at least ${moves}. `,
  provenBySearch: (/** @type {Value} */ moves, /** @type {Value} */ searched) =>
    `The tables alone prove that every solution has at least ${moves}; the search has proven at least ${searched}. `,
  numberedPhase: (/** @type {Value} */ phase) => `phase ${phase}`,
  start: "start",
  shortestFrom: (/** @type {Value} */ from) => `From move ${from} on, the rest is a shortest solution.`,
  legend: "Line: moves left. Bars: lower bound from the tables, dashed if it is not exact. ",
  dots: (/** @type {Value} */ reading) =>
    `Dots: phase-1 distance along ${reading}, the number of moves to the subgroup of phase 2. `,
  backwards:
    "Phase 2 comes first here, because the search solved the inverse cube, and its solution is written backwards. ",
  table: "The table has the distance in six directions; 0+n is phase 2 with lower bound n. Choose a move to go to it.",
  findASolution: "Find a solution",
};

export const coordinates = {
  filterSuchAsNissy: "Filter, for example nissy",
  filter: "Filter",
  coordinates: "Coordinates",
  compose: "Compose",
  add: "Add",
  highlightItsPieces: (/** @type {Value} */ words) => `Highlight its pieces: ${words}`,
};

export const detail = {
  movesFromThisValue: "Moves from this value",
  value: "Value",
  show: "Show",
  backToTheCube: "Back to the cube",
  useThisCube: "Use this cube",
  thisCubeHasNoValue: (/** @type {Value} */ reason) => `This cube has no value: ${reason}.`,
  noDistribution: (/** @type {Value} */ reason) => `No distribution: ${reason}.`,
  makeTheNearerMove: (/** @type {Value} */ next) => `Make the nearer move ${next}`,
  proves: (/** @type {Value} */ moves, /** @type {Value} */ count) =>
    `This coordinate alone proves that at least ${moves} ${count === 1 ? "is" : "are"} needed.`,
  leads: { nearer: "nearer", level: "same", farther: "farther" },
  sizeOf: (/** @type {Value} */ size, /** @type {Value} */ solved, /** @type {Value} */ subgroup) =>
    `${size} values. ${solved}: ${subgroup}.`,
  states: "states",
  values: "values",
  move: "move",
  moves: "moves",
  moveTo: (/** @type {Value} */ move, /** @type {Value} */ value) => `${move} to ${value}`,
  moveToDistance: (
    /** @type {Value} */ move,
    /** @type {Value} */ value,
    /** @type {Value} */ moves,
    /** @type {Value} */ leads,
  ) => `${move} to ${value}: ${moves}, ${leads}`,
  ringLabel: (/** @type {Value} */ text, /** @type {Value} */ meaning) => `${text}, ${meaning}`,
  selfSymmetries: "Self-symmetries",
  noValue: "no value",
  shortestWay: "Shortest way",
  class: "Class",
  ofRawValues: (/** @type {Value} */ value, /** @type {Value} */ classes, /** @type {Value} */ orbit) =>
    `${value} of ${classes}; raw values: ${orbit}`,
  representative: "Representative",
  symmetryUsed: "Symmetry used",
  sameRawValue: "Same raw value",
  otherNumbers: (/** @type {Value} */ name) => `${name}, other numbers`,
  oneCoordinate: "One coordinate",
};

export const labGuide = {
  lead:
    "The solver describes a cube by a few numbers, its coordinates. Its tables say how many moves each value is from solved. " +
    "So the solver can skip every sequence of moves that cannot lead to a short solution.",
  coordinate: (/** @type {Value} */ value, /** @type {Value} */ size) =>
    `A coordinate is one number for a part of the cube. Twist describes how the eight corners are twisted: here it is ` +
    `${value}, of 0 to ${size}. On a solved cube it is 0. Turn a face and watch the number. A move leads from each value ` +
    `to exactly one value, whatever the rest of the cube looks like. So the solver works with numbers instead of cubes.`,
  bound: (
    /** @type {Value} */ size,
    /** @type {Value} */ value,
    /** @type {Value} */ moves,
    /** @type {Value} */ moves2,
  ) =>
    `A table has the distance to 0 from each of the ${size} twists: from ${value} it is ${moves}. ` +
    `A solved cube has twist 0, so every solution of this cube has at least ${moves}. That is a lower bound. ` +
    `A coordinate of more pieces gives better bounds: the larger tables prove at least ${moves2} for this cube.`,
  phases: (/** @type {Value} */ phasetwo) =>
    "A table of all cubes does not fit into a computer. So the search has two phases, each with tables that fit. Phase 1 " +
    "brings twist, flip and slice to 0. Phase 2 makes quarter turns only of two opposite faces, and half turns of all. So these " +
    `three numbers stay 0, and ${phasetwo} cubes are left of 43 quintillion.`,
  ofPhase: (/** @type {Value} */ moves, /** @type {Value} */ phase) => `${moves} of phase ${phase}`,
  split: (/** @type {Value} */ axis, /** @type {Value} */ parts) =>
    `The solution shown, along the axis ${axis}: ${parts}.`,
  backwards: "The search solved the inverse cube, and its solution is written backwards, so phase 2 comes first.",
  whatIsACoordinate: "1. What is a coordinate?",
  whatIsABound: "2. What is a bound?",
  whyTwoPhases: "3. Why two phases?",
  turnTheTopFace: "Turn the top face",
  turnTheRightFace: "Turn the right face",
  nearerMove: (/** @type {Value} */ next) => `Make the move ${next} to a nearer twist`,
  changeOfPhases: "Go to the change of phases",
  howTheSolverWorks: "How the solver works",
  then: ", then ",
};

export const lab = {
  coordinates: "Coordinates",
  solution: "Solution",
  tables: "Tables",
  turnTheCube: "Turn the cube",
  laboratory: "Laboratory",
};

export const labModel = {
  kociembaClasses: "Kociemba, classes",
  forAll48Symmetries: "For all 48 symmetries",
  kociemba: "Kociemba",
  composedAsInNissy: "Composed, as in Nissy",
  cornerTwists: "corner twists",
  edgeFlips: "edge flips",
  fourArraysBySlot: "Four arrays, by slot",
  directions: "Bounds by the tables, in six directions",
  distribution: (
    /** @type {Value} */ total,
    /** @type {Value} */ noun,
    /** @type {Value} */ moves,
    /** @type {Value} */ most,
    /** @type {Value} */ moves2,
  ) => `${total} ${noun}, at most ${moves} from solved; ${most} at ${moves2}.`,
  distributionWithMark: (/** @type {Value} */ all, /** @type {Value} */ moves, /** @type {Value} */ share) =>
    `${all} This one is at ${moves}, like ${share} of all.`,
  class: "class",
  none: "none",
  of: (/** @type {Value} */ size) => `of ${size}`,
  corners: "corners",
  edges: "edges",
  inverse: " inverse",
  phase: (/** @type {Value} */ phase) => `phase ${phase}`,
};

export const parts = {
  paintFirst: "The laboratory needs a whole cube. Paint the other stickers first.",
  theServiceIsComputingS: (/** @type {Value} */ seconds) => `The service is computing: ${seconds} s.`,
};

export const pieces = {
  allCorners: "all corners",
  allEdges: "all edges",
  middleEdges: "the edges of the middle layer",
  outerEdges: "the edges of the top and bottom layers",
  topEdges: "the edges of the top layer",
  bottomEdges: "the edges of the bottom layer",
  and: " and ",
};

export const tables = {
  table: "Table",
  row: "Row",
  show: "Show",
  ofProfile: (/** @type {Value} */ count, /** @type {Value} */ profile, /** @type {Value} */ size) =>
    `${count} tables of the profile ${profile}, ${size}.`,
  others: (/** @type {number} */ count, /** @type {Value} */ size) =>
    `${count} ${count === 1 ? "table" : "tables"} for proofs or other metrics, ${size}.`,
  theEntriesAreNotDistances: "The entries are not distances.",
  rows: "Rows",
  columns: "Columns",
  entries: "Entries",
  size: (
    /** @type {Value} */ entries,
    /** @type {Value} */ bits,
    /** @type {Value} */ size,
    /** @type {Value} */ encoding,
  ) => `${entries} of ${bits} bits, ${size}. ${encoding}`,
  published: "Published",
  equalTo: (/** @type {Value} */ of) => `Equal to the distribution of ${of}`,
  differentFrom: (/** @type {Value} */ of) => `Different from the distribution of ${of}`,
  states: "states",
  more: (/** @type {Value} */ count) => `${count} more`,
};

export const fewest = {
  noProofs:
    "This service has no table for proofs, so it can prove only solutions of at most ten moves. Start it with " +
    "`superflip serve --optimal-table s`: it then builds a table of 41 MB.",
  searchLonger: "Search longer",
  list: "List",
  followIt: "Follow it",
  yourSolution: "Your solution",
  checkMySolution: "Check my solution",
  numberOfSolutions: "Number of solutions",
  countedIn: "Counted in",
  metrics: {
    htm: "face turns",
    qtm: "quarter turns",
    stm: "face and slice turns",
    axht: "turns of an axis",
    axqt: "quarter turns of an axis",
  },
  units: {
    qtm: (/** @type {number} */ count) => `${count} quarter ${count === 1 ? "turn" : "turns"}`,
    stm: (/** @type {number} */ count) => `${count} face and slice ${count === 1 ? "turn" : "turns"}`,
    axht: (/** @type {number} */ count) => `${count} ${count === 1 ? "turn" : "turns"} of an axis`,
    axqt: (/** @type {number} */ count) => `${count} quarter ${count === 1 ? "turn" : "turns"} of an axis`,
  },
  searchingLonger: "Searching for 30 s.",
  foundShorter: (/** @type {Value} */ moves) => `Found a solution of ${moves}.`,
  nothingIsShorter: "No solution is shorter.",
  foundNothingShorter: "Found no shorter solution.",
  searchingSeveral: "Searching for at most 5 s.",
  foundFewer: (/** @type {Value} */ found, /** @type {Value} */ wanted, /** @type {Value} */ moves) =>
    `Found ${found} of ${wanted}. No solution has fewer than ${moves}.`,
  bound: (/** @type {Value} */ moves) => `No solution has fewer than ${moves}.`,
  doesNotSolve: "Your solution does not solve this cube.",
  solvesBefore: (/** @type {Value} */ moves) => `The cube is solved after ${moves} already. The rest is not needed.`,
  solves: (/** @type {Value} */ moves) => `Your solution solves this cube in ${moves}.`,
  solvesEqual: (/** @type {Value} */ moves) =>
    `Your solution solves this cube in ${moves}, as many as the solution shown.`,
  solvesLonger: (/** @type {Value} */ moves, /** @type {Value} */ more) =>
    `Your solution solves this cube in ${moves}, ${more} more than the solution shown.`,
  solvesShorter: (/** @type {Value} */ moves, /** @type {Value} */ fewer) =>
    `Your solution solves this cube in ${moves}, ${fewer} fewer than the solution shown.`,
};

export const holding = {
  hold: (/** @type {Value} */ top, /** @type {Value} */ front) => `Hold ${top} on top and ${front} in front.`,
};

export const later = {
  notLoaded: "This part of the page could not be loaded. Try again when the service answers, or reload the page.",
  tryAgain: "Try again",
  fewestMoves: "Fewest moves",
  solveInSteps: "Solve in steps",
  forARobot: "Solve for a robot",
  shareAndPrint: "Share and print",
};

export const look = {
  customColours: "Custom colours",
  colours: "Colours",
  palette: "Palette",
  showLetters: "Show the first letter of each colour on its stickers",
  showHidden: "Show the stickers of the hidden faces behind the cube",
  colour: (/** @type {Value} */ number, /** @type {Value} */ colour) => `Colour ${number}, now ${colour}`,
  palettes: { standard: "Standard", bright: "Bright", muted: "Muted", colourBlind: "For colour blindness" },
};

export const print = {
  forTraining: "For training. Official competitions must use the official scramble program of the WCA.",
  scrambles: (/** @type {Value} */ kind) => `Scrambles: ${kind}`,
  solved: "Solved",
  solveThisCubeIn: (/** @type {Value} */ moves) => `Solve this cube in ${moves}`,
  holdItSo: "Hold the cube like this until the end.",
  instructions: "Make the move of each arrow and tick its box. The next picture shows what your cube must look like.",
};

export const scramble = {
  oneHand: "One hand",
  blindfolded: "Blindfolded",
  fewestMoves: "Fewest moves",
  print: "Print",
  kindOfScramble: "Kind of scramble",
  scrambles: "Scrambles",
  number: "Number",
  scramble: "Scramble",
};

export const share = {
  reidString: "Reid string",
  speffz: "Speffz",
  twizzleBinary: "Twizzle binary",
  cubieArrays: "cubie arrays",
  copiedLink: "Copied the link.",
  copiedScramble: "Copied the scramble.",
  copiedSolution: "Copied the solution.",
  copiedCube: "Copied the cube.",
  facelets: "facelets",
  net: "net",
  digits: "digits",
  copyLink: "Copy link",
  share: "Share",
  copyScramble: "Copy scramble",
  copySolution: "Copy solution",
  print: "Print",
  copy: "Copy",
  address: "Address",
  copyTheCubeAs: "Copy the cube as",
};

export const status = {
  tables: "Tables",
  useKey: "Use key",
  theServiceDoesNotAnswer: "The service does not answer. Your cube is kept, and the page reconnects.",
  solvedHere: (/** @type {boolean} */ proven) =>
    "The service does not answer. This page solved the cube itself, with small tables" +
    (proven ? "." : ": at most 21 moves, not proven to be the fewest."),
  apiKey: "API key",
  building: (/** @type {Value} */ percent) =>
    `The tables are being built: ${percent} %. Meanwhile you can paint and turn the cube.`,
  opening: (/** @type {Value} */ percent) =>
    `The tables are being opened: ${percent} %. Meanwhile you can paint and turn the cube.`,
  waiting: (/** @type {Value} */ percent) =>
    `The tables are being built by another process: ${percent} %. Meanwhile you can paint and turn the cube.`,
};

export const actions = {
  centresFirst: "Paint the six centres first. They define the colour of each face.",
  othersFollow: (/** @type {Value} */ count) => `The other ${count} stickers follow from these.`,
  oneUnpainted: "One sticker is not painted yet.",
  severalUnpainted: (/** @type {Value} */ count) => `${count} stickers are not painted yet.`,
};

export const api = {
  theServiceDoesNotAnswer: "The service does not answer. Nothing is lost; the page reconnects.",
  theServiceAnsweredWithStatus: (/** @type {Value} */ status) => `The service answered with status ${status}.`,
};

export const notation = {
  wrong: (/** @type {Value} */ token, /** @type {Value} */ why) => `${token} is not a move: ${why}`,
  form: "write a letter of U R F D L B, M E S, x y z, then 2 or ' if needed",
  wideAlready: "a small letter is wide already; leave out w",
  wideFace: "only faces have wide moves",
  depth: "the number before a face is 1, 2 or 3; for a wide move 2 or 3",
  notAMove: (/** @type {Value} */ move) => `${move} is not a move`,
};

export const turns = {
  undo: (/** @type {Value} */ move) => `Undo ${move}`,
};

export const netView = {
  label: "Net of the cube. Arrow keys move between stickers.",
};

export const steps = {
  about:
    "Fewest-moves solvers go in steps: they orient the edges, then reduce the cube to a group in which two opposite faces " +
    "take quarter turns, then to one with half turns only, and finish there.",
  find: "Find steps",
  stop: "Stop the search",
  look: "Look for",
  downTo: (/** @type {Value} */ goal, /** @type {Value} */ ways) =>
    goal === "Finish" ? "a whole solution" : `${ways} ways to ${goal}`,
  ways: (/** @type {Value} */ number) => `Ways found, shortest first: ${number}.`,
  oneEnding: "Ways that differ in the direction of their last turn count as one",
  onTheInverseToo: "Also make moves on the inverse cube (NISS)",
  searching: "Searching for at most 5 s.",
  foundNothing: "Found no solution in these steps.",
  foundNothingIn: (/** @type {Value} */ step, /** @type {Value} */ goal) => `Step ${step} (${goal}) found nothing.`,
  searchedTo: (/** @type {Value} */ moves) => `All its solutions of at most ${moves} were searched.`,
  tryAgain: "Try again: the page asks for 5 s, and a busy machine finds less in that time.",
  nothingToDo: "no moves",
  goals: { eo: "EO", dr: "DR", "dr-eo": "DR", htr: "HTR", finish: "Finish", "htr-finish": "Finish" },
  reached: (/** @type {Value} */ state, /** @type {Value} */ total) => `${state}, ${total} so far`,
  followAll: (/** @type {Value} */ moves) => `Follow the whole solution of ${moves}`,
};

export const robot = {
  about:
    "A robot pays for more than moves: it regrips, flips or spins the cube. Describe yours, with the cost of each action, such as " +
    "its seconds. Or give the cost of each of the 18 turns. The page finds the cheapest solution.",
  machine: "Your robot (JSON)",
  // It turns the bottom layer, flips the front down, and spins the cube.
  example: `{
  "start": "ready",
  "states": ["ready"],
  "actions": [
    {"turn": "D", "cost": 0.8},
    {"turn": "D'", "cost": 0.8},
    {"turn": "D2", "cost": 1.6},
    {"name": "flip", "rotates": "x'",
      "cost": 0.6},
    {"name": "spin", "rotates": "y",
      "cost": 0.7},
    {"name": "spin back", "rotates": "y'",
      "cost": 0.7}
  ]
}`,
  file: "Or open its file:",
  faces: "Faces that the robot can turn:",
  find: "Find the cheapest solution",
  searching: "Searching for 1 s.",
  notJson: (/** @type {string} */ reason) => `The text is not JSON: ${reason}`,
  costs: (/** @type {Value} */ moves, /** @type {Value} */ cost, /** @type {Value} */ bound) =>
    `${moves}, cost ${cost}. No solution costs less than ${bound}.`,
  turns: (/** @type {Value} */ moves) => `move ${moves}`,
  soFar: (/** @type {Value} */ total) => `${total} so far`,
  play: "Play the schedule",
  follow: (/** @type {Value} */ moves) => `Follow the solution of ${moves}`,
};

export const lost = {
  paintAFace: "Copy one face of your cube, then another, until the page knows what went wrong.",
  paintMore: "Several wrong turns are possible. Paint more stickers.",
  paintTheRest:
    "No one or two wrong turns explain this. Paint the rest of the cube, and the page solves it from there.",
  quoted: (/** @type {Value} */ move, /** @type {string} */ instruction) =>
    `${move} (${instruction[0].toLowerCase()}${instruction.slice(1)})`,
  kinds: {
    missed: (/** @type {Value} */ number, /** @type {Value} */ sent) => `You left out move ${number}, ${sent}.`,
    reversed: (/** @type {Value} */ number, /** @type {Value} */ sent) =>
      `You made move ${number}, ${sent}, in the other direction.`,
    doubled: (/** @type {Value} */ number, /** @type {Value} */ sent) => `You turned twice in move ${number}, ${sent}.`,
    half_made: (/** @type {Value} */ number, /** @type {Value} */ sent, /** @type {Value | null} */ made) =>
      `You turned once in move ${number}, ${sent}: you made ${made}.`,
  },
  asShown: (/** @type {number} */ made) => `Your cube is right: it looks like this after move ${made}.`,
  isItThis: "Does your cube look like the picture? The page guessed the stickers with a dot.",
  solveFromHere: "Yes, go on from here",
  noItDiffers: "No",
  cancel: "Cancel",
};

export const controls = {
  slow: "Slow",
  normalSpeed: "Normal speed",
  fast: "Fast",
  goToTheStart: "Go to the start",
  previousMove: "Previous move",
  play: "Play",
  nextMove: "Next move",
  anotherCube: "Another cube",
  goToTheEnd: "Go to the end",
  speed: "Speed",
  pause: "Pause",
};

export const guide = {
  tooMany: (/** @type {Value} */ count, /** @type {Value} */ colour) =>
    `${count} stickers are ${colour}. A cube has 9 of each colour.`,
  face: (/** @type {Value} */ number, /** @type {Value} */ face, /** @type {Value} */ above) =>
    `Face ${number} of 6: hold your cube with the ${face} centre towards you and ${above} above it. Copy its stickers.`,
};

export const input = {
  empty: "A scramble, 54 stickers, a net, a link or JSON.",
  changed: "The cube has changed since this text was read.",
  pasteAnyCube: "Paste any cube",
  randomCube: "Random cube",
  pasteOrScramble: "Paste or scramble",
  waits: "The text is read when the service answers.",
  several: "The text fits several forms. Choose one:",
  thisCube: "this cube",
  readNearest: (/** @type {Value} */ text) => `Read ${text}`,
  readAsMoves: "Read as moves",
  reading: "Reading",
  theNearestText: "the nearest text",
};

export const keys = {
  turnThisFaceClockwise: "turn this face clockwise",
  turnSlice: "turn a slice; rotate the whole cube",
  shiftAndALetter: "Shift and a letter",
  turnInTheOtherDirection: "turn in the other direction",
  twoAfterALetter: "2 after a letter",
  makeItAHalfTurn: "make it a half turn",
  look: "look at the cube from another side",
  lookHome: "look from the usual side",
  space: "Space",
  playOrPauseTheSolution: "play or pause the solution",
  nextMovePreviousMove: "next move; previous move",
  goToTheTextBox: "go to the text box",
  ctrlZCtrlY: "Ctrl Z, Ctrl Y",
  digitOrLetter: "1 to 6 or a colour's letter",
  chooseColour: "while painting: choose a colour; in the net also paint the sticker and go to the next one",
  deleteBackspace: "Delete, Backspace",
  clearSticker: "in the net while painting: Delete clears this sticker, Backspace the one before",
  showThisList: "show this list",
  keys: "Keys",
  close: "Close",
  arrows: "arrows",
  stopAndComma: ". and ,",
  undoRedo: "undo; redo",
};

export const paint = {
  undo: "Undo",
  redo: "Redo",
  colourToPaintWith: "Colour to paint with",
  clear: "Clear",
  solvedCube: "Solved cube",
  noColour: "no colour",
  erase: "erase",
  theyMatch: "They match",
  oneIsWrong: "One is wrong",
  compare: (/** @type {number} */ count) =>
    count === 1
      ? "The page has filled in one sticker, marked with a dot. Is it the same on your cube?"
      : `The page has filled in ${count} stickers, marked with a dot. Are they all the same on your cube?`,
  copyAll: (/** @type {Value} */ next) => `Copy the other stickers too. Then the page can find the wrong one. ${next}`,
  number: (/** @type {Value} */ colour, /** @type {Value} */ count) => `${colour}, ${count} stickers`,
  wrongNumber: (/** @type {Value} */ colour, /** @type {Value} */ count) => `${colour}, ${count} stickers, not 9`,
};

export const problem = {
  tryAgain: "Try again",
  why: "Why",
  flipEdge: (/** @type {Value} */ colours, /** @type {Value} */ places) =>
    `Take the edge with ${colours} (${places}) out of your cube, and put it back the other way round.`,
  twistClockwise: (/** @type {Value} */ colours, /** @type {Value} */ places) =>
    `Twist the corner with ${colours} (${places}) clockwise, as seen from outside.`,
  twistCounterclockwise: (/** @type {Value} */ colours, /** @type {Value} */ places) =>
    `Twist the corner with ${colours} (${places}) counterclockwise, as seen from outside.`,
  yesTheyAreRight: "Yes, they are right",
  apart: "Then no moves can solve this cube: it was taken apart, or a corner was twisted.",
  doneSolveIt: "Done, solve it",
  no: "No",
  compare: "Compare the stickers with your cube. Are they all right?",
  rotateClockwise: (/** @type {Value} */ face) => `Rotate the stickers of face ${face} clockwise`,
  rotateTwice: (/** @type {Value} */ face) => `Rotate the stickers of face ${face} by a half turn`,
  rotateCounterclockwise: (/** @type {Value} */ face) => `Rotate the stickers of face ${face} counterclockwise`,
  more: (/** @type {Value} */ count) => `${count} more`,
  stickers: (/** @type {Value} */ count) => `${count} stickers`,
  changes: (/** @type {Value} */ count) => `${count} changes`,
  swapCentres: (/** @type {Value} */ a, /** @type {Value} */ b) => `Swap the centres ${a} and ${b}`,
  oneSticker: "one sticker",
  many: "Many",
  oneChange: "one change",
  someAreBelow: "Some are below. ",
  tapOne: "Tap one to use it.",
  pointToOne: "Point to one to see it.",
  change: (/** @type {Value} */ number) => `Change ${number} to get a possible cube:`,
  severalChanges: (
    /** @type {Value} */ many,
    /** @type {Value} */ changes,
    /** @type {Value} */ part,
    /** @type {Value} */ hint,
  ) => `${many} possible cubes need ${changes} each. ${part}${hint}`,
  correct: (/** @type {Value} */ names) => `Correct ${names}`,
};

export const read = {
  /** What each form is, by its name. @type {Record<string, string>} */
  forms: {
    facelets: "54 stickers, faces in the order U R F D L B",
    ulfrbd: "54 stickers, faces in the order U L F R B D",
    net: "an unfolded cube",
    digits: "54 digits, faces in the order U L F R B D",
    reid: "Reid's twenty pieces",
    b32: "letters of nissy",
    speffz: "Speffz letters",
    twizzle: "Twizzle binary",
    scramble: "a scramble",
    link: "a link",
    kpattern: "a KPattern",
    cubies: "four cubie arrays",
    colors: "54 colours",
  },
  readAs: (/** @type {Value} */ name) => `Read as ${name}.`,
  tooLong: (/** @type {number} */ length) =>
    `The text has ${length.toLocaleString(locale)} characters, too many for a cube. Paste the scramble, the stickers or the link alone.`,
  looksLikeStickers: (/** @type {Value} */ symbols) => `Looks like stickers: ${symbols} of 54.`,
  looksLike: (/** @type {Value} */ name) => `Looks like ${name}.`,
};

export const textError = {
  moves:
    "A move is U, R, F, D, L, B, M, E, S, x, y or z, then 2 or ' if needed. A small letter, as in r, turns two layers.",
  number: (/** @type {Value} */ place, /** @type {Value} */ symbol) =>
    `Character ${place}, \`${symbol}\`, is a number that does not fit. After a move write 2 or 3; before it write 2 for a wide move.`,
  closesNothing: (/** @type {Value} */ place, /** @type {Value} */ symbol) =>
    `Character ${place}, \`${symbol}\`, closes a bracket that was not opened. Remove it.`,
  space: (/** @type {Value} */ place) => `Character ${place} is a space inside a move. Remove it.`,
  notAMove: (/** @type {Value} */ place, /** @type {Value} */ symbol, /** @type {Value} */ moves) =>
    `Character ${place}, \`${symbol}\`, is not a move. ${moves}`,
  ends: (/** @type {Value} */ length) => `The text ends too early, after character ${length}: a move is missing.`,
  openBracket: (/** @type {Value} */ bracket, /** @type {Value} */ place, /** @type {Value} */ other) =>
    `The bracket \`${bracket}\` at character ${place} is not closed. Write \`${other}\` where its group ends.`,
};

export const stream = {
  after: (/** @type {Value} */ moves, /** @type {Value} */ time) => `${moves} after ${time}`,
};

export const cubeView = {
  label: "Cube in space. Drag the background to rotate it, or drag a sticker to turn its layer.",
};

export const faults = {
  noSuchCorner: (/** @type {Value} */ colours, /** @type {Value} */ places) =>
    `No corner of this cube has the colours ${colours} like this. Check ${places}.`,
  noSuchEdge: (/** @type {Value} */ colours, /** @type {Value} */ places) =>
    `No edge of this cube has the colours ${colours} like this. Check ${places}.`,
  cornerRepeated: (/** @type {Value} */ colours, /** @type {Value} */ count, /** @type {Value} */ places) =>
    `The corner with ${colours} is in ${count} places. Check ${places}.`,
  edgeRepeated: (/** @type {Value} */ colours, /** @type {Value} */ count, /** @type {Value} */ places) =>
    `The edge with ${colours} is in ${count} places. Check ${places}.`,
  tooManyCorners: (
    /** @type {Value} */ count,
    /** @type {Value} */ colour,
    /** @type {Value} */ each,
    /** @type {Value} */ places,
  ) => `${count} stickers of corners are ${colour}, but each colour is on ${each} corners. Check ${places}.`,
  tooManyEdges: (
    /** @type {Value} */ count,
    /** @type {Value} */ colour,
    /** @type {Value} */ each,
    /** @type {Value} */ places,
  ) => `${count} stickers of edges are ${colour}, but each colour is on ${each} edges. Check ${places}.`,
  and: " and ",
  moreColours: "There are more than six colours.",
  fewerColours: "There are fewer than six colours.",
  centres: "Some centres have the same colour.",
  oneColour: "One colour is on too many stickers.",
  corner: "One corner has a combination of colours that does not exist.",
  edge: "One edge has a combination of colours that does not exist.",
  aCornerOccursTwice: "A corner occurs twice.",
  anEdgeOccursTwice: "An edge occurs twice.",
  twisted: "A corner is twisted in its place.",
  flipped: "An edge is flipped in its place.",
  twoPiecesAreSwapped: "Two pieces are swapped.",
  impossible: "No possible cube has these stickers.",
  counts: (/** @type {Value} */ counts) => `${counts} stickers. There must be 9 of each colour.`,
};

export const inset = {
  fromTheLeft: "From the left",
  fromBelow: "From below",
  fromTheBack: "From the back",
};

export const overlay = {
  checkThisPiece: (/** @type {Value} */ name) => `${name}, check this piece`,
  filledIn: (/** @type {Value} */ name) => `${name}, filled in`,
};

export const follow = {
  showAllMoves: "Show all moves",
  showOnlyTheNextMove: "Show only the next move",
  showOnlyTheLength: "Show only the length",
  searchLog: "Search log",
  looksDifferent: "My cube looks different",
  movesMade: "Moves made",
  whatToShow: "What to show",
  provenShortest: "proven shortest",
  atLeastNeeded: (/** @type {Value} */ lowerBound) => `at least ${lowerBound} needed`,
  boundTitle: "Proven by the search: no solution has fewer moves.",
  stopTheSearch: "Stop the search",
  proveItIsShortest: "Prove it is shortest",
  proofNeedsTable: "A proof of more than ten moves needs a table, which the operator selects with optimal.table",
  tableForProofsFailed: "Table for proofs failed",
  tableForProofs: (/** @type {Value} */ percent) => `Table for proofs: ${percent} %`,
  lookingForASolution: "Looking for a solution",
  action: (/** @type {Value} */ action) => `The robot: ${action}`,
  turns: (/** @type {number} */ count) => `${count} ${count === 1 ? "turn" : "turns"} of faces or of the cube`,
  theCubeIsSolved: "The cube is solved",
  theMovesAreHidden: "The moves are hidden",
  speech: (
    /** @type {Value} */ number,
    /** @type {Value} */ length,
    /** @type {Value} */ instruction,
    /** @type {Value} */ hint,
  ) => `Move ${number} of ${length}: ${instruction}. ${hint}`,
  searching: "Still looking for a shorter solution",
  moveLabel: (/** @type {Value} */ move, /** @type {Value} */ number, /** @type {Value} */ instruction) =>
    `${move}, move ${number}: ${instruction}`,
  made: (/** @type {Value} */ step, /** @type {Value} */ moves) => `${step} of ${moves}`,
};

export const store = {
  welcome: "Drag a sticker to turn its layer. Drag the background to turn the cube. Press ? for all keys.",
};
