import { countAccount, deleteAccount, exportAccount } from "@/lib/visits/account-map";
import { type Command, workspaceOption } from "../command";
import { EXPORT_INTERRUPTED, followPages, followVisits } from "../follow-visits";

const accountOption = {
  value: "REF",
  description: "Account reference as your server sends it",
  isRequired: true,
} as const;

export const accountCommands: readonly Command[] = [
  {
    name: "account export",
    summary: "Print everything stored about an account",
    options: { workspace: workspaceOption, "account-ref": accountOption },
    interruptionNotice: EXPORT_INTERRUPTED,
    async run(context, given, { progressWithResult }) {
      const input = { workspaceId: given.text("workspace"), accountRef: given.text("account-ref") };
      const { account, visits } = await exportAccount(context, input);
      const total = (await countAccount(context, input)).visits;
      return {
        ...account,
        truncated: false,
        visits: followPages(visits, followVisits(progressWithResult, "account export", total)),
      };
    },
  },
  {
    name: "account delete",
    summary: "Remove an account from the Account Map of a workspace",
    options: { workspace: workspaceOption, "account-ref": accountOption },
    async run(context, given) {
      const { links, devices } = await deleteAccount(context, {
        workspaceId: given.text("workspace"),
        accountRef: given.text("account-ref"),
      });
      return { deleted: true, links, devices };
    },
  },
];
