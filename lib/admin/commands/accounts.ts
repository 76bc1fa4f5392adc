import { deleteAccount } from "@/lib/account-map";
import { type Command, workspaceOption } from "../command";

export const accountCommands: readonly Command[] = [
  {
    name: "account delete",
    summary: "Remove an account from the Account Map of a workspace",
    options: {
      workspace: workspaceOption,
      "account-ref": { value: "REF", description: "Account reference as your server sends it", isRequired: true },
    },
    async run(context, given) {
      const { links, devices } = await deleteAccount(context, {
        workspaceId: given.text("workspace"),
        accountRef: given.text("account-ref"),
      });
      return { deleted: true, links, devices };
    },
  },
];
