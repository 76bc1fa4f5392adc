import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { makeCertificate } from "@/test/certificate";
import { failureAdvice, failureText } from "./failure-text";

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port; // safe: it listens on a port
}

const speaking = (answer: (socket: Socket) => void): Promise<number> =>
  listen(
    createServer((socket) => {
      socket.once("data", () => {
        answer(socket);
      });
    }),
  );

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}

const failureOf = (url: string): Promise<unknown> =>
  fetch(url).then(
    () => undefined,
    (error: unknown) => error,
  );

type Case = [name: string, urlOf: () => string | Promise<string>, what: string, code: RegExp];
const CASES: Case[] = [
  [
    "nothing listens",
    async () => `http://127.0.0.1:${await freePort()}/`,
    "nothing accepts connections there",
    /ECONNREFUSED/,
  ],
  ["a name does not exist", () => "http://nobody.invalid/", "the host name", /ENOTFOUND|EAI_AGAIN/],
  [
    "a certificate is self-signed",
    async () => `https://localhost:${await listen(createTlsServer(makeCertificate()))}/`,
    "its TLS certificate is of no trusted authority",
    /DEPTH_ZERO_SELF_SIGNED_CERT/,
  ],
  [
    "https is spoken to a server of http",
    async () => `https://127.0.0.1:${await speaking((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))}/`,
    "no TLS connection could be made",
    /ERR_SSL_|EPROTO/,
  ],
  [
    "an answer is not HTTP",
    async () => `http://127.0.0.1:${await speaking((socket) => socket.end("220 mail.example ESMTP\r\n"))}/`,
    "the answer is not valid HTTP",
    /HPE_/,
  ],
  [
    "the connection is cut",
    async () => `http://127.0.0.1:${await speaking((socket) => socket.destroy())}/`,
    "the connection was closed before an answer",
    /UND_ERR_SOCKET/,
  ],
];

test.each(CASES)("when %s, this is said in plain words with the code", async (_case, urlOf, what, code) => {
  const error = await failureOf(await urlOf());
  for (const text of [failureText(error), failureAdvice(error)]) {
    expect(text).toContain(what);
    expect(text).toMatch(code);
    expect(text).not.toContain("127.0.0.1");
  }
});

test("an expired certificate is named, an unknown code is kept, and without a code there is no text", () => {
  const wrapped = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });
  expect(failureAdvice(wrapped("CERT_HAS_EXPIRED"))).toBe(
    "its TLS certificate has expired: renew it (CERT_HAS_EXPIRED)",
  );
  expect(failureText(wrapped("EUNHEARD"))).toBe("the connection failed, EUNHEARD");
  expect(failureText(new Error("no"))).toBeUndefined();
});
