import { createProgress, type Output } from "@/lib/operations/backup";
import { createDemoWorkspace, deleteDemoWorkspace, fillDemoWorkspace, makeDemoData } from "@/lib/operations/demo";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { type Command, workspaceOption } from "../command";

/** Runs work that tells its progress in per cent. */
async function withPercent<Made>(stderr: Output, work: (onProgress: (percent: number) => void) => Promise<Made>) {
  const progress = createProgress(stderr, "demo data");
  return await work((percent) => {
    progress.at(percent / 100, "");
    progress.done(`${percent} %`);
  }).finally(progress.end);
}

export const demoDataCommands: readonly Command[] = [
  {
    name: "demo create",
    summary: "Create a separate workspace with made-up visits; `demo delete` removes it",
    options: { days: { value: "N", description: "How many days back, 1 to 365; default 90" } },
    async run(context, given, { stderr, ifInterrupted }) {
      const days = given.optionalNumber("days");
      const { workspaceId } = await createDemoWorkspace(context, { days });
      ifInterrupted(
        `The workspace ${workspaceId} is incomplete. Delete it: ${ADMIN_COMMAND} demo delete --workspace ${workspaceId}`,
      );
      const input = { workspaceId, days };
      const made = await withPercent(stderr, (onProgress) => fillDemoWorkspace(context, input, onProgress));
      return { workspace_id: workspaceId, ...made };
    },
  },
  {
    name: "demo delete",
    summary: "Delete a demo workspace (from `demo create` or the Console) with everything in it",
    options: { workspace: workspaceOption },
    interruptionNotice: "Part of the workspace is deleted. Run the command again to delete the rest.",
    async run(context, given, { stderr }) {
      const progress = createProgress(stderr, "demo delete");
      const input = { workspaceId: given.text("workspace") };
      const { workspaceId, rows } = await deleteDemoWorkspace(context, input, ({ table, share, rows, isDone }) => {
        progress.at(share, `${table}: ${rows} rows`);
        if (isDone && rows > 0) progress.done(`${table}: ${rows} rows`);
      }).finally(progress.end);
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
    interruptionNotice:
      "The workspace may have a part of the demo data. Use another one, or pass --force to add all of it.",
    async run(context, given, { stderr }) {
      const input = {
        workspaceId: given.text("workspace"),
        days: given.optionalNumber("days"),
        seed: given.optionalNumber("seed"),
        isForced: given.has("force"),
      };
      const made = await withPercent(stderr, (onProgress) => makeDemoData(context, { ...input, onProgress }));
      return { workspace_id: given.text("workspace"), ...made };
    },
  },
];
