import { setTimeout as delay } from "node:timers/promises";

import { OAuthUser } from "../../common/oauth-user";
import { adminTexts } from "../../common/processes";

const EMAIL = "bench@example.com";
/** Those that read the most rows, below `/w/WORKSPACE`. */
const PAGES = ["", "/reports", "/explore", "/devices", "/recognition", "/rules", "/keys", "/usage"];

type Installation = { address: string; workspaceId: string; env: NodeJS.ProcessEnv };

/** Opens pages of the Console one after another, as a signed-in owner, until the load ends. */
export async function openPages(
  { address, workspaceId, env }: Installation,
  { pagesPerSecond, forMs }: { pagesPerSecond: number; forMs: number },
) {
  const counts = { requests: 0, failed: 0 };
  await adminTexts(["member", "add", "--workspace", workspaceId, "--email", EMAIL, "--role", "owner"], env, "email");
  const { url } = await adminTexts(["login-link", "--email", EMAIL], env, "url");
  const person = new OAuthUser(env["BASE_URL"] ?? address);
  await person.signIn(url);
  const startedAt = performance.now();
  for (let index = 0; performance.now() - startedAt < forMs; index += 1) {
    const page = `/w/${workspaceId}${PAGES[index % PAGES.length] ?? ""}`;
    const status = await person.open(page).then(
      (response) => response.status,
      () => 0,
    );
    counts.requests += 1;
    if (status !== 200) counts.failed += 1;
    await delay(Math.max(0, startedAt + ((index + 1) * 1000) / pagesPerSecond - performance.now()));
  }
  return counts;
}
