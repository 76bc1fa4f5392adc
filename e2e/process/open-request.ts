import { connect } from "node:net";

/** A submission whose body is sent in two parts: in flight until `finish`. */
export async function openRequest(port: number) {
  const body = "{}";
  const socket = connect(port, "127.0.0.1");
  const received: string[] = [];
  socket.on("data", (chunk) => received.push(chunk.toString()));
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
    `POST /api/v1/imprints HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
  );
  return {
    async finish() {
      socket.write(body.slice(1));
      await closed;
      return received.join("");
    },
  };
}
