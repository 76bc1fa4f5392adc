import type { OAuthUser } from "../common/oauth-user";
import { SCOPES } from "../common/oauth-user";
import { type Conversation, converse } from "./converse";
import { type ClientPackage, programOf } from "./install";

type Place = { url: string; user: OAuthUser; workspaceId: string; folder: string };
type Result = { isConnected: boolean; says: string };
export type Outcome = Result & { client: string; version: string };

/** Whole, and once: a terminal's link has its address twice. */
const AUTHORIZE = /https?:\/\/[\w.:-]+\/oauth\/authorize\?(?:(?!https?:\/\/)\S)+(?=\s)/;
const REFUSED = "Nobody asked for consent";

/** Nothing of the person's own settings, and nothing that a client would report to its maker. */
const environmentOf = (folder: string): NodeJS.ProcessEnv => ({
  NODE_ENV: "production",
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: folder,
  CODEX_HOME: folder,
  MCP_REMOTE_CONFIG_DIR: folder,
  CLAUDE_CONFIG_DIR: folder,
  // Whoever opens a browser opens nothing: the address is read from what is printed.
  BROWSER: "true",
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
});

const runIn = (
  folder: string,
  program: string,
  args: readonly string[],
  answer?: Parameters<typeof converse>[0]["answer"],
) =>
  converse({ program: programOf(program), args, env: environmentOf(folder), cwd: folder, ...(answer && { answer }) });

/** A program that asks for a terminal, in one that is wide enough for whole addresses. */
const inTerminal = (command: string): [string, readonly string[]] => [
  "/usr/bin/script",
  ["-qec", `stty cols 4000; ${command}`, "/dev/null"],
];

const endOf = ({ output, code }: Conversation): string =>
  `ended with ${code ?? "nothing"}: ${output.trim().split("\n").slice(-6).join(" | ")}`;

/** Decides as the person, whom the client's own address is then opened for; false when the service refused the client. */
async function decide({ user, workspaceId }: Place, address: string): Promise<boolean> {
  try {
    const callback = await user.allow(address, { workspaceId, scopes: SCOPES });
    await (await fetch(callback)).text();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(REFUSED)) return false;
    throw error;
  }
}

/** Signs in as a person would: again once, when the service refused the client on a page. */
async function signIn(place: Place, program: string, args: readonly string[], attempts = 1) {
  const asked = { isRefused: false };
  const conversation = await runIn(place.folder, program, args, {
    to: AUTHORIZE,
    async with(address) {
      const isAllowed = await decide(place, address);
      asked.isRefused = !isAllowed;
      return isAllowed;
    },
  });
  if (asked.isRefused && attempts === 1) return await signIn(place, program, args, 2);
  return { ...conversation, attempts };
}

const connected = (attempts: number): Result => ({
  isConnected: true,
  says: attempts === 1 ? "connected" : "connected at the second attempt, registered by itself",
});

async function connectClaudeCode(place: Place): Promise<Result> {
  const added = await runIn(place.folder, "claude", [
    "mcp",
    "add",
    "--scope",
    "user",
    "--transport",
    "http",
    "imprint",
    `${place.url}/mcp`,
  ]);
  if (added.code !== 0) return { isConnected: false, says: endOf(added) };
  const { attempts, ...signedIn } = await signIn(
    place,
    ...inTerminal(`${programOf("claude")} mcp login imprint --no-browser`),
  );
  const listed = await runIn(place.folder, "claude", ["mcp", "list"]);
  const isConnected = /imprint:.*Connected/.test(listed.output);
  return isConnected ? connected(attempts) : { isConnected, says: `${endOf(signedIn)}; ${endOf(listed)}` };
}

async function connectCodex(place: Place): Promise<Result> {
  const url = `${place.url}/mcp`;
  const { attempts, ...signedIn } = await signIn(place, "codex", ["mcp", "add", "imprint", "--url", url]);
  const listed = await runIn(place.folder, "codex", ["mcp", "list", "--json"]);
  const isConnected = signedIn.code === 0 && /o_?auth/i.test(listed.output);
  return isConnected ? connected(attempts) : { isConnected, says: `${endOf(signedIn)}; ${endOf(listed)}` };
}

type Client = { name: string; from: ClientPackage; connect: (place: Place) => Promise<Result> };

export const CLIENTS: readonly Client[] = [
  { name: "Claude Code", from: "@anthropic-ai/claude-code", connect: connectClaudeCode },
  { name: "Codex", from: "@openai/codex", connect: connectCodex },
];
