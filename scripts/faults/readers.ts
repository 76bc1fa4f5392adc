import type { Reader } from "./fault-proxy";

const SHORT = 72;

const textUntilNul = (bytes: Buffer, from = 0): string => bytes.toString("utf8", from, bytes.indexOf(0, from));

/** Splits a client's stream to PostgreSQL into messages. Source: PostgreSQL, "Message Formats". */
function createSplitter() {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return function* split(chunk: Buffer): Generator<{ type: string; body: Buffer }> {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = isStarted ? 1 : 0; // the first message has no type
      if (rest.length < typeBytes + 4) return;
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < end) return;
      yield { type: rest.toString("latin1", 0, typeBytes), body: rest.subarray(typeBytes + 4, end) };
      rest = rest.subarray(end);
      isStarted = true;
    }
  };
}

/** Names the statements that a PostgreSQL client executes. */
export function readStatements(): Reader {
  const split = createSplitter();
  const prepared = new Map<string, string>();
  let bound = "";
  return (chunk) => {
    const run: string[] = [];
    for (const { type, body } of split(chunk)) {
      const first = textUntilNul(body);
      const second = () => textUntilNul(body, Buffer.byteLength(first) + 1);
      if (type === "Q") run.push(first);
      if (type === "P") prepared.set(first, second());
      if (type === "B") bound = prepared.get(second()) ?? "";
      if (type === "E") run.push(bound);
    }
    return run.length === 0 ? undefined : run.map((sql) => sql.trim().replace(/\s+/g, " ").slice(0, SHORT)).join("; ");
  };
}

/** Names the requests of an HTTP client: method and path, plus the JSON-RPC method if there is one. */
export const readRequests = (): Reader => (chunk) => {
  const text = chunk.toString("latin1");
  const [, request] = /^([A-Z]+ \S+) HTTP\/1/.exec(text) ?? [];
  const [, method] = /"method":"(eth_\w+)"/.exec(text) ?? [];
  const names = [request, method].filter((name) => name !== undefined);
  return names.length === 0 ? undefined : names.join(" ");
};
