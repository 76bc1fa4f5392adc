import { createDemoWorkspace, deleteDemoWorkspace, fillDemoWorkspace, makeDemoData } from "@/lib/operations/demo";
import { AppError } from "@/lib/contract/errors";
import { type Command, workspaceOption } from "../command";

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d{1,9}$/.test(text))
    throw new AppError("invalid_request", { message: `--${name} must be a whole number` });
  return text === undefined ? undefined : Number(text);
}

export const demoDataCommands: readonly Command[] = [
  {
    name: "demo create",
    summary: "Create a separate workspace with made-up visits; `demo delete` removes it",
    options: { days: { value: "N", description: "How many days back, 1 to 365; default 90" } },
    async run(context, given) {
      const { workspaceId } = await createDemoWorkspace(context);
      const made = await fillDemoWorkspace(context, { workspaceId, days: wholeNumber("days", given.optional("days")) });
      return { workspace_id: workspaceId, ...made };
    },
  },
  {
    name: "demo delete",
    summary: "Delete a demo workspace (from `demo create` or the Console) with everything in it",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const { workspaceId, rows } = await deleteDemoWorkspace(context, { workspaceId: given.text("workspace") });
      return { workspace_id: workspaceId, deleted: true, rows };
    },
  },
  {
    name: "demo-data",
    summary: "Fill an empty workspace with made-up visits, to explore the Console",
    options: {
      workspace: workspaceOption,
      days: { value: "N", description: "How many days back, 1 to 365; default 90" },
      seed: { value: "N", description: "Seed of the random data; default 1" },
      force: { description: "Also in a workspace with visits, which are kept" },
    },
    async run(context, given) {
      const made = await makeDemoData(context, {
        workspaceId: given.text("workspace"),
        days: wholeNumber("days", given.optional("days")),
        seed: wholeNumber("seed", given.optional("seed")),
        isForced: given.has("force"),
      });
      return { workspace_id: given.text("workspace"), ...made };
    },
  },
];
