/**
 * Generates keep-alive load from a separate process: `node generator.mjs FILE PORT CONNECTIONS SECONDS`. FILE contains
 * requests, each prefixed with its length in eight digits. Prints { requests, failed, seconds, p50Ms, p99Ms }.
 */
import fs from "node:fs";
import net from "node:net";

const [file = "", port = "0", connections = "1", seconds = "1"] = process.argv.slice(2);

function readRequests() {
  const bytes = fs.readFileSync(file);
  const requests = /** @type {Buffer[]} */ ([]);
  for (let at = 0; at < bytes.length;) {
    const length = Number(bytes.toString("latin1", at, at + 8));
    requests.push(bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return requests;
}

const messages = readRequests();
const HEAD_END = "\r\n\r\n";
const took = /** @type {number[]} */ ([]);
let next = 0;
let failed = 0;
let isOver = false;

/**
 * Length in bytes of the first response in `data`, or 0 while it is incomplete.
 *
 * @param {Buffer} data
 */
function answerLength(data) {
  const headEnd = data.indexOf(HEAD_END);
  if (headEnd === -1) return 0;
  const head = data.subarray(0, headEnd).toString("latin1");
  const bodyStart = headEnd + HEAD_END.length;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return data.length >= bodyStart + Number(length) ? bodyStart + Number(length) : 0;
  const chunksEnd = data.indexOf("\r\n0\r\n\r\n", bodyStart - 2);
  return chunksEnd === -1 ? 0 : chunksEnd + 7;
}

function open() {
  const socket = net.connect(Number(port), "127.0.0.1");
  /** @type {Buffer} */
  let data = Buffer.alloc(0);
  let askedAt = 0;
  const ask = () => {
    if (isOver) return void socket.end();
    askedAt = performance.now();
    socket.write(messages[next] ?? "");
    next = (next + 1) % messages.length;
  };
  socket.setNoDelay(true);
  socket.once("connect", ask);
  socket.on("data", (chunk) => {
    data = data.length === 0 ? chunk : Buffer.concat([data, chunk]);
    const length = answerLength(data);
    if (length === 0) return;
    took.push(performance.now() - askedAt);
    if (data[9] !== "2".charCodeAt(0)) failed += 1;
    data = data.subarray(length);
    ask();
  });
  socket.on("error", () => {
    failed += 1;
  });
  socket.once("close", () => {
    if (!isOver) open();
  });
}

const startedAt = performance.now();
for (let index = 0; index < Number(connections); index += 1) open();
setTimeout(
  () => {
    isOver = true;
    const elapsed = (performance.now() - startedAt) / 1000;
    took.sort((a, b) => a - b);
    const at = (/** @type {number} */ share) => took[Math.min(took.length - 1, Math.floor(share * took.length))] ?? 0;
    const result = { requests: took.length, failed, seconds: elapsed, p50Ms: at(0.5), p99Ms: at(0.99) };
    process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
  },
  Number(seconds) * 1000,
);
