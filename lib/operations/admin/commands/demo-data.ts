import { createDemoWorkspace, deleteDemoWorkspace, fillDemoWorkspace, makeDemoData } from "@/lib/operations/demo";
import { AppError } from "@/lib/contract/errors";
import { type Command, workspaceOption } from "../command";

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d{1,9}$/.test(text))
    throw new AppError("invalid_request", { message: `--${name} is a whole number` });
  return text === undefined ? undefined : Number(text);
}

export const demoDataCommands: readonly Command[] = [
  {
    name: "demo create",
    summary: "Make a workspace of its own with invented visits, which `demo delete` takes away again",
    options: { days: { value: "N", description: "How many days back, 1 to 365; 90 unless given" } },
    async run(context, given) {
      const { workspaceId } = await createDemoWorkspace(context);
      const made = await fillDemoWorkspace(context, { workspaceId, days: wholeNumber("days", given.optional("days")) });
      return { workspace_id: workspaceId, ...made };
    },
  },
  {
    name: "demo delete",
    summary: "Delete a workspace that was made by `demo create` or in the Console, with everything in it",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const { workspaceId, rows } = await deleteDemoWorkspace(context, { workspaceId: given.text("workspace") });
      return { workspace_id: workspaceId, deleted: true, rows };
    },
  },
  {
    name: "demo-data",
    summary: "Fill an empty workspace with invented visits, to explore the Console",
    options: {
      workspace: workspaceOption,
      days: { value: "N", description: "How many days back, 1 to 365; 90 unless given" },
      seed: { value: "N", description: "Seed of the random data; 1 unless given" },
      force: { description: "Also in a workspace that has visits; they stay as they are" },
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
