import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { sha256 } from "@/lib/platform/secrets";
import { createWebApp } from "@/lib/tenancy/web-apps";
import { hasAnyOwner, requireEmail } from "@/lib/tenancy/workspaces";
import { makeFirstOwner } from "./make-first-owner";
import { lockSetup, useSetupLink } from "./queries";

type CompleteSetup = {
  token: string;
  email: string;
  workspaceName: string;
  webAppName: string;
  origins: readonly string[];
};

/**
 * First set-up: creates the owner, who is also an operator, a workspace, a Web App and a server key, atomically. Exactly
 * one call succeeds, and invalid input does not use up the link.
 *
 * @throws AppError `auth_failed` for an unknown or used link, `conflict` if there is already an owner,
 * `invalid_request`, `invalid_origin`
 */
export async function completeSetup({ db, ...request }: Omit<Context, "actor">, input: CompleteSetup) {
  const email = requireEmail(input.email);
  return await db.transaction(async (tx) => {
    await lockSetup(tx);
    if (await hasAnyOwner(tx))
      throw new AppError("conflict", { message: "This instance is already set up. Sign in instead" });
    if (!(await useSetupLink(tx, sha256(input.token)))) {
      throw new AppError("auth_failed", {
        message: "This set-up link is not valid. The server prints a new one when it starts",
      });
    }
    const { context, userId, workspaceId } = await makeFirstOwner(
      { ...request, db: tx },
      { email, workspaceName: input.workspaceName, by: "link" },
    );
    const webApp = await createWebApp(context, { workspaceId, name: input.webAppName, origins: input.origins });
    const { webAppId, environmentId, keyId, apiKey, origins } = webApp;
    return { userId, email, workspaceId, webAppId, environmentId, keyId, apiKey, origins };
  });
}
