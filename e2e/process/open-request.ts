import { connect } from "node:net";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/**
 * Opens a submission whose body is sent in two parts, so that it is in flight until `finish`. When this resolves, the
 * process that will answer has read it: with workers, the main process accepts a connection before one of them gets it.
 */
export async function openRequest(port: number) {
  const body = "{}";
  const socket = connect(port, "127.0.0.1");
  let received = "";
  const isRead = new Promise<void>((done) =>
    socket.on("data", (chunk) => {
      received += chunk.toString();
      if (received.startsWith(CONTINUE)) done();
    }),
  );
  const closed = new Promise<void>((done) =>
    socket.once("close", () => {
      done();
    }),
  );
  await new Promise<void>((done) =>
    socket.once("connect", () => {
      done();
    }),
  );
  socket.write(
    `POST /api/v1/imprints HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n{`,
  );
  await isRead;
  return {
    async finish() {
      socket.write(body.slice(1));
      await closed;
      return received.slice(CONTINUE.length);
    },
  };
}
