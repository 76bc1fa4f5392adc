import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What one connection may keep waiting, and how fast it has to take its answers. */
export type ConnectionLimits = {
  /** Requests that were sent ahead of the answer to an earlier one. One more ends the connection. */
  waitingRequests: number;
  /** Time for which a client need not read at all. */
  stallMs: number;
  /** Pace at which it has to read what is waiting for it beyond that time. */
  leastBytesPerSecond: number;
};

export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  /** Whether Node has let go of the socket, so that it does not give it to the answer by itself. */
  isDetached: boolean;
};

type Options = {
  socket: Socket;
  answer: RequestListener;
  limits: ConnectionLimits;
  /** Whether the server accepts nothing new: then the last request of a connection ends it. */
  isDraining: () => boolean;
  /** Runs what goes on with pipelined requests, when others have had their turn. */
  later: (run: () => void) => void;
};

/**
 * One connection, of which one request is answered at a time: Node calls the listener for all pipelined requests at
 * once, and keeps every answer in memory until its turn comes.
 */
export class Connection {
  readonly #options: Options;
  /** The request that is being answered; until its answer is handed to the system. */
  #current: Exchange | undefined;
  readonly #waiting: Exchange[] = [];
  /** Answers what could not be read as a request, once those before it are answered. */
  #refusal: (() => void) | undefined;
  /** Bytes that had come when the last answer was sent: more means that a request is on its way. */
  #readBytes = 0;
  /** Bytes that the client had taken, and since when it has taken no more. */
  #takenBytes = 0;
  #takenAt = performance.now();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Answers a request in its turn. */
  take(exchange: Exchange): void {
    const { socket, limits } = this.#options;
    if (!this.#current) this.#begin(exchange);
    else if (this.#waiting.length >= limits.waitingRequests) socket.destroy();
    else {
      this.#waiting.push(exchange);
      socket.pause();
    }
  }

  /** Answers by `send`, in its turn, what is no request. Nothing that follows it can be read. */
  refuse(send: () => void): void {
    if (this.#refusal) return;
    this.#refusal = send;
    const current = this.#current;
    if (!current) send();
    else if (!current.req.complete) {
      // What breaks off is the request that is being answered.
      if (current.res.headersSent) this.#options.socket.destroy();
      else send();
    }
  }

  /** Has the connection end with the answer to the last request that it has sent. */
  endAfterLast(): void {
    const last = this.#waiting.at(-1) ?? this.#current;
    if (last) last.res.shouldKeepAlive = false;
  }

  /** Whether no request is being sent or answered. */
  isIdle(): boolean {
    return !this.#current && this.#options.socket.bytesRead === this.#readBytes;
  }

  /** Ends the connection of a client that does not read its answer, or hardly. */
  endWhenStalled(now: number): void {
    const { socket, limits } = this.#options;
    const waitingBytes = socket.writableLength;
    const takenBytes = socket.bytesWritten - waitingBytes;
    if (waitingBytes === 0 || takenBytes > this.#takenBytes) {
      this.#takenBytes = takenBytes;
      this.#takenAt = now;
      return;
    }
    const allowedMs = limits.stallMs + (waitingBytes / limits.leastBytesPerSecond) * 1000;
    if (now - this.#takenAt > allowedMs) socket.destroy();
  }

  #begin(exchange: Exchange): void {
    const { socket, answer, isDraining } = this.#options;
    const { req, res, isDetached } = exchange;
    this.#current = exchange;
    res.once("close", () => {
      this.#end();
    });
    if (isDetached) {
      res.assignSocket(socket);
      res.once("finish", () => {
        socket.destroySoon();
      });
    }
    if (isDetached || (isDraining() && this.#waiting.length === 0)) res.shouldKeepAlive = false;
    answer(req, res);
  }

  #end(): void {
    if (this.#waiting.length > 0 || this.#refusal) {
      this.#options.later(() => {
        this.#goOn();
      });
    } else this.#goOn();
  }

  #goOn(): void {
    const { socket } = this.#options;
    this.#current = undefined;
    this.#readBytes = socket.bytesRead;
    if (socket.destroyed || socket.writableEnded) return;
    const next = this.#waiting.shift();
    if (next) this.#begin(next);
    else this.#refusal?.();
    if (this.#waiting.length === 0) socket.resume();
    else socket.pause();
  }
}
