import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import {
  addOrigins,
  archiveWebApp,
  createWebApp,
  findWorkspaceOfWebApp,
  listWebApps,
  pauseWebApp,
  readWebApp,
  removeOrigin,
  renameWebApp,
  requireOrigins,
  resumeWebApp,
} from "@/lib/tenancy/web-apps";
import { type Command, type ParsedOptions, webAppOption, workspaceOption } from "../command";
import { spanOption } from "../span-option";

const originOption = {
  value: "URL",
  description: "Origin, e.g. https://shop.example",
  isRequired: true,
  isRepeatable: true,
} as const;

/** Finds a Web App by its id alone, since operators need not name the workspace. */
async function requireWebApp(
  context: Context,
  given: ParsedOptions,
): Promise<{ workspaceId: string; webAppId: string }> {
  const webAppId = given.text("web-app");
  const workspaceId = idPattern("webApp").test(webAppId)
    ? await findWorkspaceOfWebApp(context.db, webAppId)
    : undefined;
  if (workspaceId === undefined) throw new AppError("not_found", { message: "There is no such Web App" });
  return { workspaceId, webAppId };
}

type ChangeState = typeof pauseWebApp;

const stateCommand = (verb: string, summary: string, change: ChangeState): Command => ({
  name: `web-app ${verb}`,
  summary,
  options: { "web-app": webAppOption },
  async run(context, given) {
    const { webAppId, state } = await change(context, await requireWebApp(context, given));
    return { web_app_id: webAppId, state };
  },
});

export const webAppCommands: readonly Command[] = [
  {
    name: "web-app create",
    summary: "Create a Web App with its environment and a server key",
    options: {
      workspace: workspaceOption,
      name: { value: "NAME", description: "Name of the Web App", isRequired: true },
      origin: { ...originOption, isRequired: false },
    },
    async run(context, given) {
      const webApp = await createWebApp(context, {
        workspaceId: given.text("workspace"),
        name: given.text("name"),
        origins: given.list("origin"),
      });
      return {
        web_app_id: webApp.webAppId,
        environment_id: webApp.environmentId,
        key_id: webApp.keyId,
        api_key: webApp.apiKey,
      };
    },
  },
  {
    name: "web-app list",
    summary: "List the Web Apps of a workspace with their origins",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const rows = await listWebApps(context, { workspaceId: given.text("workspace") });
      return {
        web_apps: rows.map((row) => ({
          web_app_id: row.webAppId,
          environment_id: row.environmentId,
          name: row.name,
          state: row.state,
          origins: row.origins,
        })),
      };
    },
  },
  {
    name: "web-app rename",
    summary: "Rename a Web App",
    options: { "web-app": webAppOption, name: { value: "NAME", description: "New name", isRequired: true } },
    async run(context, given) {
      const webApp = await requireWebApp(context, given);
      const { webAppId, name } = await renameWebApp(context, { ...webApp, name: given.text("name") });
      return { web_app_id: webAppId, name };
    },
  },
  stateCommand("pause", "Refuse submissions of a Web App until it is resumed", pauseWebApp),
  stateCommand("resume", "Accept submissions of a paused Web App again", resumeWebApp),
  stateCommand("archive", "Refuse submissions of a Web App permanently", archiveWebApp),
  {
    name: "origin add",
    summary: "Allow origins to submit for a Web App",
    options: {
      "web-app": webAppOption,
      origin: originOption,
      expires: { value: "SPAN", description: "For how long, e.g. 7d; without it, permanently" },
    },
    async run(context, given) {
      const webApp = await requireWebApp(context, given);
      // All or nothing, so that a script notices an invalid origin.
      const origins = requireOrigins(given.list("origin"));
      const { added, alreadyListed } = await addOrigins(context, {
        ...webApp,
        origins,
        expiresAfterSeconds: spanOption(given, "expires"),
      });
      return { web_app_id: webApp.webAppId, added, already_listed: alreadyListed };
    },
  },
  {
    name: "origin remove",
    summary: "Remove an origin from the list of a Web App",
    options: { "web-app": webAppOption, origin: { ...originOption, isRepeatable: false } },
    async run(context, given) {
      const webApp = await requireWebApp(context, given);
      const { origin } = await removeOrigin(context, { ...webApp, origin: given.text("origin") });
      return { web_app_id: webApp.webAppId, removed: origin };
    },
  },
  {
    name: "origin list",
    summary: "List the origins of a Web App",
    options: { "web-app": webAppOption },
    async run(context, given) {
      const { workspaceId, webAppId } = await requireWebApp(context, given);
      return { web_app_id: webAppId, origins: (await readWebApp(context, { workspaceId, webAppId })).origins };
    },
  },
];
