import type { OAuthUser } from "../common/oauth-user";
import { SCOPES } from "../common/oauth-user";
import { type Conversation, converse } from "./converse";
import { type ClientPackage, programOf } from "./install";

/** Where a client connects to: a service, a person who is signed in there, and a folder of the client's own. */
export type Place = { url: string; user: OAuthUser; workspaceId: string; folder: string };
export type Result = { isConnected: boolean; says: string };
export type Client = { name: string; from: ClientPackage; connect: (place: Place) => Promise<Result> };
export type Outcome = Result & { client: string; version: string };

/** Whole, and once: a terminal's link has its address twice. */
export const AUTHORIZE = /https?:\/\/[\w.:-]+\/oauth\/authorize\?(?:(?!https?:\/\/)\S)+(?=\s)/;
const REFUSED = "Nobody asked for consent";

/** Nothing of the person's own settings, and nothing that a client would report to its maker. */
export const environmentOf = (folder: string): NodeJS.ProcessEnv => ({
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

export const runIn = (
  folder: string,
  program: string,
  args: readonly string[],
  answer?: Parameters<typeof converse>[0]["answer"],
) =>
  converse({ program: programOf(program), args, env: environmentOf(folder), cwd: folder, ...(answer && { answer }) });

/** A program that asks for a terminal, in one that is wide enough for whole addresses. */
export const inTerminal = (command: string): [string, readonly string[]] => [
  "/usr/bin/script",
  ["-qec", `stty cols 4000; ${command}`, "/dev/null"],
];

export const endOf = ({ output, code }: Conversation): string =>
  `ended with ${code ?? "nothing"}: ${output.trim().split("\n").slice(-6).join(" | ")}`;

/** Decides as the person, whom the client's own address is then opened for; false when the service refused the client. */
export async function decide({ user, workspaceId }: Place, address: string): Promise<boolean> {
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
export async function signIn(place: Place, program: string, args: readonly string[], attempts = 1) {
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

export const connected = (attempts: number): Result => ({
  isConnected: true,
  says: attempts === 1 ? "connected" : "connected at the second attempt, registered by itself",
});
