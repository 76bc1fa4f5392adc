import type { RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { endWithClient } from "./end-with-client";
import { listen } from "./listen";
import { openSocket } from "./socket";

/** What a client receives that sends requests for these paths and then closes its sending side. */
async function sendAndClose(paths: readonly string[], listener: RequestListener): Promise<string> {
  const { take, drain } = openSocket(listener);
  const listening = await listen({ port: 0, host: "localhost" }, take);
  const client = connect({ port: listening.port, host: "127.0.0.1", allowHalfOpen: true });
  client.end(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
  const received = await text(client);
  listening.close();
  await drain(10_000);
  return received;
}

/** Answers after the turns of the event loop that reading from a database takes. */
const answerLater = (path: string, res: ServerResponse) => {
  setTimeout(() => res.end(`<${path}>`), 20);
};

test.each([[["/1"]], [["/1", "/2", "/3"]], [[]]])(
  "a client that sent requests for %j and closed its sending side gets all answers, then the connection ends",
  async (paths) => {
    const received = await sendAndClose(paths, ({ url = "" }, res) => {
      answerLater(url, res);
    });
    expect(received.match(/<.*?>/g) ?? []).toEqual(paths.map((path) => `<${path}>`));
  },
);

test.each([[["/long"]], [["/1", "/long"]]])(
  "for %j, the answer that would take long is not waited for",
  async (paths) => {
    const long: ServerResponse[] = [];
    const received = await sendAndClose(paths, (req, res) => {
      if (req.url === "/long") {
        long.push(res);
        endWithClient(req, res);
      } else answerLater(req.url ?? "", res);
    });
    expect(received.match(/<.*?>/g) ?? []).toEqual(paths.slice(0, -1).map((path) => `<${path}>`));
    expect(long.map(({ closed, writableFinished }) => [closed, writableFinished])).toEqual([[true, false]]);
  },
);
