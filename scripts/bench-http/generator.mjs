/**
 * Keep-alive load from a process of its own: `node generator.mjs FILE`, where FILE is JSON
 * { port, connections, seconds, requests: [[path, key], …] }. Prints { requests, failed, seconds }.
 */
import fs from "node:fs";
import net from "node:net";

const { port, connections, seconds, requests } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));

const messages = requests.map(([path, key]) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nX-API-Key: ${key}\r\n\r\n`),
);
const HEAD_END = "\r\n\r\n";
let next = 0;
let answered = 0;
let failed = 0;
let isOver = false;

/** Bytes of the first whole answer in `data`, or 0 while it is not whole. */
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
  const socket = net.connect(port, "127.0.0.1");
  let data = Buffer.alloc(0);
  const ask = () => {
    if (isOver) return void socket.end();
    socket.write(messages[next]);
    next = (next + 1) % messages.length;
  };
  socket.setNoDelay(true);
  socket.once("connect", ask);
  socket.on("data", (chunk) => {
    data = data.length === 0 ? chunk : Buffer.concat([data, chunk]);
    const length = answerLength(data);
    if (length === 0) return;
    if (data.subarray(9, 12).toString("latin1") === "200") answered += 1;
    else failed += 1;
    data = data.subarray(length);
    ask();
  });
  socket.on("error", () => (failed += 1));
  socket.once("close", () => isOver || open());
}

const startedAt = performance.now();
for (let index = 0; index < connections; index += 1) open();
setTimeout(() => {
  isOver = true;
  const took = (performance.now() - startedAt) / 1000;
  process.stdout.write(`${JSON.stringify({ requests: answered, failed, seconds: took })}\n`, () => process.exit(0));
}, seconds * 1000);
