// Prints each shorter solution as it is found: node stream.mjs "R U F" [http://127.0.0.1:8080]
// It also runs in a browser: without `process`, call `solve` directly.

const otherServer = (service) => `${service} does not answer as superflip does; check the address`;

/**
 * Reads the events of /solve/stream. EventSource cannot send a body or an API key, so this uses fetch.
 * @param {string} service
 * @param {object} request the fields of /solve
 * @param {(event: string, data: any) => void} onEvent
 * @param {AbortSignal} [signal] ends the request
 */
export async function solve(service, request, onEvent, signal) {
  const response = await fetch(`${service}/solve/stream`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(request),
    signal,
  }).catch((error) => {
    throw new Error(`cannot reach ${service}: ${error.cause?.message || error.message}`);
  });
  const type = response.headers.get("content-type") ?? "";
  if (!/^(text\/event-stream|application\/problem\+json)/.test(type)) throw new Error(otherServer(service));
  if (!response.ok) {
    const problem = await response.json();
    throw new Error(`${problem.code}: ${problem.detail}`);
  }
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split("\n\n");
    text = events.pop() ?? "";
    for (const lines of events) {
      const field = (name) => lines.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
      if (field("data")) onEvent(field("event") ?? "message", JSON.parse(field("data")));
    }
  }
}

const [cube, service = "http://127.0.0.1:8080"] = process.argv.slice(2);
let solution;
const onEvent = (event, data) => {
  if (event === "solution") console.error(`${data.length} moves after ${data.elapsed_us / 1000} ms`);
  if (event === "result") solution = data.solution;
  if (event === "problem") throw new Error(`${data.code}: ${data.detail}`);
};
try {
  const request = { cube, target_length: 18, time_limit_ms: 2000 };
  await solve(service.replace(/\/$/, ""), request, onEvent, AbortSignal.timeout(30_000));
  if (solution === undefined) throw new Error(otherServer(service));
  console.log(solution);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
