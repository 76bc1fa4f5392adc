import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

/** A mail as its recipient reads it. */
export type ReceivedMail = { to: string; from: string; subject: string; text: string };

const refusal = (responseCode: number) => Object.assign(new Error("refused"), { responseCode });

/**
 * Starts a real mail server that records accepted mail. `refused` maps addresses that it currently refuses to response
 * codes; entries no longer needed may stay. It accepts the mail of `cut` addresses, but closes the connection instead of
 * saying so.
 */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const messageIds: (string | undefined)[] = [];
  const refused = new Map<string, number>();
  const cut = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onRcptTo({ address }, _session, done) {
      const code = refused.get(address);
      done(code === undefined ? null : refusal(code));
    },
    onData(stream, { envelope, id }, done) {
      void (async () => {
        const { from, subject, text, messageId } = await PostalMime.parse(await buffer(stream));
        const to = envelope.rcptTo.map(({ address }) => address).join(",");
        mails.push({ to, from: from?.address ?? "", subject: subject ?? "", text: text ?? "" });
        messageIds.push(messageId);
        if (!cut.has(to)) done();
        else for (const connection of server.connections) if (connection.id === id) connection.close();
      })();
    },
    ...options,
  });
  // Client errors are reported to the client.
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => {
    server.close();
  });
  const { port } = listening.address() as AddressInfo; // safe: it listens on a port
  return { mails, messageIds, refused, cut, port, url: `smtp://127.0.0.1:${port}` };
}
