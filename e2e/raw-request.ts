import { connect } from "node:net";

export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(":")).toLowerCase(),
      field.slice(field.indexOf(":") + 1).trim(),
    ]),
  );
  return { status: Number(line.split(" ")[1] ?? 0), headers, body: rest.join("\r\n\r\n") };
}

/**
 * Writes exactly these bytes to the service and reads until the connection ends. Status 0 means that it ended without a
 * response.
 *
 * @param cut close the sending side after the bytes, before the announced length
 */
export function sendRaw(port: number, bytes: string | Uint8Array, { cut = false } = {}): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.once("connect", () => {
      socket.write(bytes);
      if (cut) socket.end();
    });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined); // a reset counts as an end
    socket.once("end", () => socket.destroy());
    socket.once("close", () => {
      resolve(parseAnswer(Buffer.concat(chunks).toString()));
    });
  });
}

/** The head of a request that asks to close the connection. */
export const rawHead = (method: string, target: string, headers: Record<string, string> = {}): string =>
  [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries({ Host: "localhost", Connection: "close", ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    "\r\n",
  ].join("\r\n");
