import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How much one connection may pipeline, and how fast it has to read its answers. */
export type ConnectionLimits = {
  /** Requests that were sent before the answer to an earlier one. One more ends the connection. */
  maxPipelinedRequests: number;
  /** Time for which a client need not read at all. */
  stallMs: number;
  /** Rate at which it has to read what is buffered for it beyond that time. */
  minBytesPerSecond: number;
};

export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  /** Whether Node has detached the socket, so that the answer has to be given it. */
  isDetached: boolean;
};

type Options = {
  socket: Socket;
  answer: RequestListener;
  limits: ConnectionLimits;
  /** Whether the server accepts nothing new: then the last request of a connection ends it. */
  isDraining: () => boolean;
  /** Defers the next pipelined request until other connections had their turn. */
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
  readonly #pipelined: Exchange[] = [];
  /** Answers what could not be read as a request, once those before it are answered. */
  #refusal: (() => void) | undefined;
  /** Bytes that had arrived when the last answer was sent: more means that a request is arriving. */
  #readBytes = 0;
  /** Bytes that the client had taken, and since when it has taken no more. */
  #takenBytes = 0;
  #takenAt = performance.now();
  /** Clients that stopped reading together are not ended together. */
  readonly #stallFactor = 1 + Math.random() / 4;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Answers a request in its turn. */
  take(exchange: Exchange): void {
    const { socket, limits } = this.#options;
    if (!this.#current) this.#start(exchange);
    else if (this.#pipelined.length >= limits.maxPipelinedRequests) socket.destroy();
    else {
      this.#pipelined.push(exchange);
      socket.pause();
    }
  }

  /** Answers input that is not a request by `send`, in its turn. Nothing that follows it can be read. */
  refuse(send: () => void): void {
    if (this.#refusal) return;
    this.#refusal = send;
    const current = this.#current;
    if (!current) send();
    else if (!current.req.complete) {
      // The request that is being answered is the incomplete one.
      if (current.res.headersSent) this.#options.socket.destroy();
      else send();
    }
  }

  /** Has the connection end with the answer to the last request that it has sent. */
  endAfterLast(): void {
    const last = this.#pipelined.at(-1) ?? this.#current;
    if (last) last.res.shouldKeepAlive = false;
  }

  /** Whether no request is being sent or answered. */
  isIdle(): boolean {
    return !this.#current && this.#options.socket.bytesRead === this.#readBytes;
  }

  /** Whether the client does not read its answer, or too slowly. To be asked again and again. */
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
