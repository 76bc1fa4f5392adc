/** What Node, Express, Connect and others hand to a middleware, as far as the proxy reads it. */
export type NodeRequest = {
  method?: string | undefined;
  url?: string | undefined;
  /** Of Express: the address before a router took its own part off. */
  originalUrl?: string | undefined;
  /** Of Express: the client's address by its setting `trust proxy`. */
  ip?: string | undefined;
  /** Names and values in turn. */
  rawHeaders: string[];
  socket: { remoteAddress?: string | undefined };
  /** What a body parser before the proxy made of the body. */
  body?: unknown;
  readableEnded?: boolean | undefined;
  on: (event: "data" | "end" | "error" | "close", listener: (value: Uint8Array & Error) => void) => unknown;
  pause: () => unknown;
};

export type NodeResponse = {
  statusCode: number;
  headersSent: boolean;
  getHeader?: ((name: string) => unknown) | undefined;
  setHeader: (name: string, value: string | string[]) => unknown;
  end: (body: Uint8Array | string) => unknown;
};

export type ImprintProxyOptions = {
  /** Address of the service, e.g. `https://imprint.example.com`. */
  endpoint: string | URL;
  /** Server key (`svc_live_…`) of the workspace that has the Web App. It stays on your server. */
  apiKey: string;
  /** Path of your site below which the proxy answers. Default: `/_i`. */
  path?: string | undefined;
  /** Cookie in which the proxy keeps the token of a visitor's browser; `false` leaves that to the page. Default name: `_i`. */
  cookie?: { name?: string | undefined } | false | undefined;
  /**
   * The visitor's address. Needed where the runtime does not tell it, and behind a load balancer or a content network,
   * whose address it would be: read the header that yours sets and nobody else can. Default: that of the socket in Node,
   * `request.ip` in Express.
   */
  clientAddress?: ((request: Request, node: NodeRequest | undefined) => string | null | undefined) | undefined;
  /** Version of the browser component to serve, e.g. `0.4.0`, where a page pins its integrity. Default: the latest. */
  componentVersion?: string | undefined;
  /** Longest time for one request to the service. Default: 5000. */
  timeoutMs?: number | undefined;
  /** Told what went wrong between this server and the service, once a minute for each kind. Default: `console.error`. */
  onError?: ((error: Error) => void) | undefined;
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
};

/** What the runtime knows of the visitor besides the request. */
export type Visitor = { address?: string | null | undefined };

export type ImprintProxy = {
  /** A fetch handler: the answer, or undefined for a path that is not the proxy's. Never rejects. */
  (request: Request, visitor?: Visitor): Promise<Response | undefined>;
  /** The same as middleware of Node's `http`, Express or Connect. To be mounted before what parses bodies. */
  node: (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => void;
};

/** A request to the proxy, whichever runtime brought it. */
export type Incoming = {
  method: string;
  /** Below the proxy's path, without a slash in front; one at the end is what Next's `trailingSlash` adds. */
  name: string;
  /** In the order of arrival where the runtime tells it. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Undefined when it is longer than the limit. @throws Error when it breaks off */
  readBody: (limitBytes: number) => Promise<Uint8Array | undefined>;
  readAddress: () => string | null | undefined;
};

export type Outgoing = { status: number; headers: Record<string, string>; body: Uint8Array | string };
