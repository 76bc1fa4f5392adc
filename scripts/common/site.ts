import { textsOf } from "./processes";

type Names = { workspace?: string; webApp?: string; plan?: string; origin?: string | undefined };

/** Creates a workspace with one Web App and its key through admin commands, each of which returns its JSON. */
export async function createSiteBy(
  admin: (...args: string[]) => Promise<unknown>,
  { workspace = "Acme", webApp = "Shop", plan = "enterprise", origin = "https://shop.example" }: Names = {},
) {
  const made = await admin("workspace", "create", "--name", workspace, "--plan", plan);
  const { workspace_id: workspaceId } = textsOf(made, "workspace_id");
  const create = ["web-app", "create", "--workspace", workspaceId, "--name", webApp, "--origin", origin];
  const app = textsOf(await admin(...create), "web_app_id", "environment_id", "api_key", "key_id");
  return {
    workspaceId,
    origin,
    webAppId: app.web_app_id,
    environmentId: app.environment_id,
    apiKey: app.api_key,
    keyId: app.key_id,
  };
}
