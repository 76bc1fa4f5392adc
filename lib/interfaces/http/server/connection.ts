import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Limits on what one connection may pipeline and how slowly it may read its answers. */
export type ConnectionLimits = {
  /** Pipelined requests that may wait for earlier answers. One more closes the connection. */
  maxPipelinedRequests: number;
  /** Time for which a client may read nothing. */
  stallMs: number;
  /** Minimum read rate beyond that time, applied to the bytes buffered for the client. */
  minBytesPerSecond: number;
};

export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  /** Whether Node has detached the socket, as it does for CONNECT; it must then be assigned to the response. */
  isDetached: boolean;
};

type Options = {
  socket: Socket;
  answer: RequestListener;
  limits: ConnectionLimits;
  /** Whether the server is shutting down; the last request of each connection then closes it. */
  isDraining: () => boolean;
  /** Defers the next pipelined request until other connections have had a turn. */
  later: (run: () => void) => void;
};

/**
 * One connection, which answers one request at a time. Node calls the listener for all pipelined requests at once and
 * would keep every answer in memory until its turn.
 */
export class Connection {
  readonly #options: Options;
  /** The request being answered, until its answer has been handed to the operating system. */
  #current: Exchange | undefined;
  readonly #pipelined: Exchange[] = [];
  /** Answers unparseable input, after the requests before it. */
  #refusal: (() => void) | undefined;
  /** `bytesRead` when the last answer was sent; if it has grown, another request is arriving. */
  #readBytes = 0;
  /** Bytes that the client had taken at the last check that saw progress, and the time of that check. */
  #takenBytes = 0;
  #takenAt = performance.now();
  /** Spreads the timeouts of clients that stopped reading at the same time. */
  readonly #stallFactor = 1 + Math.random() / 4;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Answers a request, or queues it behind the current one. */
  take(exchange: Exchange): void {
    const { socket, limits } = this.#options;
    if (!this.#current) this.#start(exchange);
    else if (this.#pipelined.length >= limits.maxPipelinedRequests) socket.destroy();
    else {
      this.#pipelined.push(exchange);
      socket.pause();
    }
  }

  /** Answers unparseable input with `send`, after the requests before it. Nothing after such input can be parsed. */
  refuse(send: () => void): void {
    if (this.#refusal) return;
    this.#refusal = send;
    const current = this.#current;
    if (!current) send();
    else if (!current.req.complete) {
      // The current request is the one whose body could not be parsed.
      if (current.res.headersSent) this.#options.socket.destroy();
      else send();
    }
  }

  /** Closes the connection after the answer to the last request received. */
  endAfterLast(): void {
    const last = this.#pipelined.at(-1) ?? this.#current;
    if (last) last.res.shouldKeepAlive = false;
  }

  /** Whether no request is being received or answered. */
  isIdle(): boolean {
    return !this.#current && this.#options.socket.bytesRead === this.#readBytes;
  }

  /** Whether the client has stopped reading or reads too slowly. Must be called periodically. */
  isStalled(now: number): boolean {
    const { socket, limits } = this.#options;
    const waitingBytes = socket.writableLength;
    const takenBytes = socket.bytesWritten - waitingBytes;
    if (waitingBytes === 0 || takenBytes > this.#takenBytes) {
      this.#takenBytes = takenBytes;
      this.#takenAt = now;
      return false;
    }
    const allowedMs = limits.stallMs + (waitingBytes / limits.minBytesPerSecond) * 1000;
    return now - this.#takenAt > allowedMs * this.#stallFactor;
  }

  #start(exchange: Exchange): void {
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
    if (isDetached || (isDraining() && this.#pipelined.length === 0)) res.shouldKeepAlive = false;
    answer(req, res);
  }

  #end(): void {
    if (this.#pipelined.length > 0 || this.#refusal) {
      this.#options.later(() => {
        this.#startNext();
      });
    } else this.#startNext();
  }

  #startNext(): void {
    const { socket } = this.#options;
    this.#current = undefined;
    this.#readBytes = socket.bytesRead;
    if (socket.destroyed || socket.writableEnded) return;
    const next = this.#pipelined.shift();
    if (next) this.#start(next);
    else this.#refusal?.();
    if (this.#pipelined.length === 0) socket.resume();
    else socket.pause();
  }
}
