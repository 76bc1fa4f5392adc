import type { OAuthUser } from "../common/oauth-user";
import { SCOPES } from "../common/oauth-user";
import { type Conversation, converse } from "./converse";
import { type ClientPackage, programOf } from "./install";

/** What a client connects to: a service, a person signed in there, and a folder for the client. */
export type Place = { url: string; user: OAuthUser; workspaceId: string; folder: string };
export type Result = { isConnected: boolean; says: string };
export type Client = { name: string; from: ClientPackage; connect: (place: Place) => Promise<Result> };
export type Outcome = Result & { client: string; version: string };

/** Matches a complete URL, once: a terminal link contains its URL twice. */
export const AUTHORIZE = /https?:\/\/[\w.:-]+\/oauth\/authorize\?(?:(?!https?:\/\/)\S)+(?=\s)/;
const REFUSED = "The client did not ask for consent";

/** An environment without the person's own settings, in which clients do not report to their vendors. */
export const environmentOf = (folder: string): NodeJS.ProcessEnv => ({
  NODE_ENV: "production",
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: folder,
  CODEX_HOME: folder,
  MCP_REMOTE_CONFIG_DIR: folder,
  CLAUDE_CONFIG_DIR: folder,
  // Opens no browser: the URL is read from the output.
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

/** Runs a program that requires a terminal in one wide enough for complete URLs. */
export const inTerminal = (command: string): [string, readonly string[]] => [
  "/usr/bin/script",
  ["-qec", `stty cols 4000; ${command}`, "/dev/null"],
];

export const endOf = ({ output, code }: Conversation): string =>
  `ended with ${code ?? "nothing"}: ${output.trim().split("\n").slice(-6).join(" | ")}`;

/** Decides as the person for whom the client's URL was opened; false if the service refused the client. */
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

/** Signs in as a person would, with a second attempt if the service showed a page that refused the client. */
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
  says: attempts === 1 ? "connected" : "connected on the second attempt, after registering itself",
});
