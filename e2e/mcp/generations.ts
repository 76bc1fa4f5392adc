import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  UnauthorizedError as NewUnauthorizedError,
} from "@modelcontextprotocol/client";
import {
  UnauthorizedError as OldUnauthorizedError,
  type OAuthClientProvider as OldProvider,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";

import type { MemoryProvider } from "./memory-provider";

const ToolResult = z.object({
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.array(z.object({ text: z.string() })),
});
type ToolResult = z.output<typeof ToolResult>;

/** A connected client with the same interface for every version of the libraries. */
export type ConnectedClient = {
  connect: () => Promise<void>;
  /** Passes the callback URL after the person's decision to the client. */
  finish: (callback: URL) => Promise<void>;
  listTools: () => Promise<string[]>;
  callTool: (name: string, given: Record<string, unknown>) => Promise<ToolResult>;
  close: () => Promise<void>;
};

export type Generation = {
  name: string;
  /** Whether the library requests more scopes when a call lacks one. */
  stepsUp: boolean;
  open: (url: string, provider: MemoryProvider) => ConnectedClient;
};

const NAME = { name: "official-client", version: "1" };

export const isUnauthorized = (error: unknown): boolean =>
  error instanceof NewUnauthorizedError || error instanceof OldUnauthorizedError;

function openNew(url: string, provider: MemoryProvider, isModern: boolean): ConnectedClient {
  let transport = new NewTransport(new URL(url), { authProvider: provider });
  let client: NewClient;
  return {
    async connect() {
      transport = new NewTransport(new URL(url), { authProvider: provider });
      client = new NewClient(NAME, isModern ? { versionNegotiation: { mode: "auto" } } : {});
      await client.connect(transport);
    },
    finish: (callback) => transport.finishAuth(callback.searchParams),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    callTool: async (name, given) => ToolResult.parse(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

function openOld(url: string, provider: MemoryProvider): ConnectedClient {
  const own: OldProvider = provider;
  let transport = new OldTransport(new URL(url), { authProvider: own });
  let client: OldClient;
  return {
    async connect() {
      transport = new OldTransport(new URL(url), { authProvider: own });
      client = new OldClient(NAME);
      await client.connect(transport);
    },
    finish: (callback) => transport.finishAuth(callback.searchParams.get("code") ?? ""),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    callTool: async (name, given) => ToolResult.parse(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

export const GENERATIONS: readonly Generation[] = [
  { name: "the client library 2 in 2026-07-28", stepsUp: true, open: (url, provider) => openNew(url, provider, true) },
  { name: "the client library 2 in 2025-11-25", stepsUp: true, open: (url, provider) => openNew(url, provider, false) },
  { name: "the library 1 in 2025-11-25", stepsUp: false, open: openOld },
];
