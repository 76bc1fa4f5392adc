import { deleteView, listViews, renameView, saveView } from "@/lib/tenancy/views";
import { type Command, workspaceOption } from "../command";

const viewOption = { value: "ID", description: "Saved view, `view_…`", isRequired: true } as const;
const nameOption = { value: "NAME", description: "Name of the view", isRequired: true } as const;

export const viewCommands: readonly Command[] = [
  {
    name: "view list",
    summary: "List a workspace's saved views of Reports",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const views = await listViews(context, { workspaceId: given.text("workspace") });
      return {
        views: views.map(({ viewId, name, query, createdBy, createdAt }) => ({
          view_id: viewId,
          name,
          query,
          created_by: createdBy,
          created_at: createdAt,
        })),
      };
    },
  },
  {
    name: "view save",
    summary: "Save filters of the list of Reports under a name, for all members",
    options: {
      workspace: workspaceOption,
      name: nameOption,
      query: {
        value: "FILTERS",
        description: "As in the list's URL, e.g. risk=DECEPTIVE&span=30d",
        isRequired: true,
      },
    },
    async run(context, given) {
      const { viewId, name, query } = await saveView(context, {
        workspaceId: given.text("workspace"),
        name: given.text("name"),
        query: given.text("query"),
      });
      return { view_id: viewId, name, query };
    },
  },
  {
    name: "view rename",
    summary: "Rename a saved view",
    options: { workspace: workspaceOption, view: viewOption, name: nameOption },
    async run(context, given) {
      const { viewId, name } = await renameView(context, {
        workspaceId: given.text("workspace"),
        viewId: given.text("view"),
        name: given.text("name"),
      });
      return { view_id: viewId, name };
    },
  },
  {
    name: "view delete",
    summary: "Delete a saved view; Reports are kept",
    options: { workspace: workspaceOption, view: viewOption },
    async run(context, given) {
      const { viewId } = await deleteView(context, {
        workspaceId: given.text("workspace"),
        viewId: given.text("view"),
      });
      return { view_id: viewId, deleted: true };
    },
  },
];
