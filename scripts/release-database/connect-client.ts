import type { Page } from "playwright-core";

import { beginAuthorization } from "../common/oauth-user";
import type { Service } from "../common/service";

/** Connects an MCP client as a person would: registration, consent in the browser, tokens. */
export async function connectClient({ url, env }: Service, page: Page, workspaceId: string) {
  const { clientId, redirectUri, ...authorization } = await beginAuthorization(url, {
    publicUrl: env["BASE_URL"] ?? url,
  });
  await page.goto(authorization.url);
  const choice = page.getByRole("combobox");
  if ((await choice.count()) > 0) await choice.first().selectOption(workspaceId);
  const redirected = page.waitForRequest((request) => request.url().startsWith(redirectUri));
  await page.getByRole("button", { name: "Allow" }).click();
  const tokens = await authorization.exchange(new URL((await redirected).url()));
  return { clientId, workspaceId, ...tokens };
}
