import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Ends the connection as soon as the client closes its sending side, for answers that take long or never end: most
 * clients that do so are gone, and only a write would show it.
 */
export function endWithClient({ socket }: IncomingMessage, res: ServerResponse): void {
  const end = () => {
    socket.end();
  };
  if (socket.readableEnded) {
    end();
    return;
  }
  socket.once("end", end);
  res.once("close", () => {
    socket.off("end", end);
  });
}
