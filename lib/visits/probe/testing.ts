import { createHash, createHmac, randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";

/** A client for the wire protocol, written independently of the server's code. Source: RFC 8489, RFC 8656. */

const COOKIE = 0x2112a442;

type Fields = {
  username?: string | undefined;
  realm?: string | undefined;
  nonce?: string | undefined;
  password?: string | undefined;
};

const attribute = (type: number, value: Buffer) => {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
};

const message = (type: number, attributes: Buffer, extraBytes = 0) => {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(attributes.length + extraBytes, 2);
  head.writeUInt32BE(COOKIE, 4);
  return (transaction: Buffer) => Buffer.concat([head, transaction, attributes]);
};

export const bindingRequest = (): Buffer => message(0x0001, Buffer.alloc(0))(randomBytes(12));

/** An Allocate request, with message integrity if a password is given. */
export function allocateRequest({ username, realm = "", nonce, password }: Fields = {}): Buffer {
  const text = (type: number, value: string | undefined) =>
    value === undefined ? [] : [attribute(type, Buffer.from(value))];
  const attributes = Buffer.concat([
    attribute(0x0019, Buffer.from([17, 0, 0, 0])),
    ...text(0x0006, username),
    ...text(0x0014, realm === "" ? undefined : realm),
    ...text(0x0015, nonce),
  ]);
  const transaction = randomBytes(12);
  if (password === undefined) return message(0x0003, attributes)(transaction);
  const covered = message(0x0003, attributes, 24)(transaction);
  const key = createHash("md5")
    .update(`${username ?? ""}:${realm}:${password}`)
    .digest();
  const integrity = createHmac("sha1", key).update(covered).digest();
  return Buffer.concat([covered, attribute(0x0008, integrity)]);
}

export type Reply = {
  type: number;
  code: number | undefined;
  realm: string;
  nonce: string;
  mapped: Buffer | undefined;
};

export function readReply(bytes: Buffer): Reply {
  const found = new Map<number, Buffer>();
  for (let at = 20; at + 4 <= bytes.length;) {
    const length = bytes.readUInt16BE(at + 2);
    found.set(bytes.readUInt16BE(at), bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  const error = found.get(0x0009);
  return {
    type: bytes.readUInt16BE(0),
    code: error && (error[2] ?? 0) * 100 + (error[3] ?? 0),
    realm: found.get(0x0014)?.toString() ?? "",
    nonce: found.get(0x0015)?.toString() ?? "",
    mapped: found.get(0x0020),
  };
}

/** A socket that sends one request at a time and awaits its answer. */
export async function openClient(port: number, host = "127.0.0.1") {
  const socket = createSocket("udp4");
  socket.bind(0, host);
  await once(socket, "listening");
  const ask = async (bytes: Buffer): Promise<Reply> => {
    const answered = once(socket, "message");
    socket.send(bytes, port, host);
    const [reply] = (await answered) as [Buffer];
    return readReply(reply);
  };
  return {
    ask,
    /** Runs a browser's whole exchange with credentials; resolves to the final error code. */
    async probe({ username, credential }: { username: string; credential: string }) {
      const { realm, nonce } = await ask(allocateRequest());
      return (await ask(allocateRequest({ username, realm, nonce, password: credential }))).code;
    },
    close: () => {
      socket.close();
    },
  };
}
