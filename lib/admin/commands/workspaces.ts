import { AppError } from "@/lib/errors";
import {
  addMember,
  COMMERCIAL_PLANS,
  createWorkspace,
  listAudit,
  listMembers,
  listWorkspaces,
  removeMember,
  requireEmail,
  type Role,
  ROLES,
  setMemberRole,
  setPlan,
} from "@/lib/workspaces";
import type { Context } from "@/lib/context";
import { type Command, type Given, workspaceOption } from "../command";

type CommercialPlan = (typeof COMMERCIAL_PLANS)[number];

const choiceOf = <T extends string>(choices: readonly T[], text: string | undefined): T | undefined =>
  choices.find((choice) => choice === text);

const requireChoice = <T extends string>(choices: readonly T[], text: string): T => {
  const choice = choiceOf(choices, text);
  if (choice === undefined)
    throw new AppError("invalid_request", { message: `"${text}" is not one of ${choices.join(", ")}` });
  return choice;
};

const plan = (text: string): CommercialPlan => requireChoice(COMMERCIAL_PLANS, text);
const role = (text: string): Role => requireChoice(ROLES, text);

const planOption = { value: "PLAN", description: "Plan", choices: COMMERCIAL_PLANS } as const;
const emailOption = { value: "ADDRESS", description: "E-mail address of the person", isRequired: true } as const;
const roleOption = { value: "ROLE", description: "Role in the workspace", choices: ROLES, isRequired: true } as const;
const addressesOption = {
  value: "yes|no",
  description: "Whether the member sees addresses and places",
  choices: ["yes", "no"],
} as const;

const seesAddresses = (given: Given) =>
  given.has("see-addresses") ? given.text("see-addresses") === "yes" : undefined;

async function findMemberId(context: Context, workspaceId: string, address: string): Promise<string> {
  const email = requireEmail(address);
  const member = (await listMembers(context, { workspaceId })).find((each) => each.email === email);
  if (!member) throw new AppError("not_found", { message: `${email} is not a member of this workspace` });
  return member.userId;
}

export const workspaceCommands: readonly Command[] = [
  {
    name: "workspace create",
    summary: "Create a workspace",
    options: { name: { value: "NAME", description: "Name of the workspace", isRequired: true }, plan: planOption },
    async run(context, given) {
      const chosen = choiceOf(COMMERCIAL_PLANS, given.optional("plan"));
      const workspace = await createWorkspace(context, { name: given.text("name"), plan: chosen });
      return { workspace_id: workspace.workspaceId, plan: workspace.plan };
    },
  },
  {
    name: "workspace list",
    summary: "List the workspaces",
    options: {},
    async run(context) {
      const rows = await listWorkspaces(context);
      return {
        workspaces: rows.map((row) => ({
          workspace_id: row.workspaceId,
          name: row.name,
          plan: row.plan,
          created_at: row.createdAt,
        })),
      };
    },
  },
  {
    name: "workspace set-plan",
    summary: "Set the plan of a workspace",
    options: { workspace: workspaceOption, plan: { ...planOption, isRequired: true } },
    async run(context, given) {
      const changed = await setPlan(context, { workspaceId: given.text("workspace"), plan: plan(given.text("plan")) });
      return { workspace_id: changed.workspaceId, plan: changed.plan };
    },
  },
  {
    name: "member add",
    summary: "Make a person a member of a workspace",
    options: { workspace: workspaceOption, email: emailOption, role: roleOption, "see-addresses": addressesOption },
    async run(context, given) {
      const member = await addMember(context, {
        workspaceId: given.text("workspace"),
        email: given.text("email"),
        role: role(given.text("role")),
        canSeeAddresses: seesAddresses(given),
      });
      return { user_id: member.userId, email: member.email, role: member.role, sees_addresses: member.canSeeAddresses };
    },
  },
  {
    name: "member set-role",
    summary: "Change the role of a member",
    options: { workspace: workspaceOption, email: emailOption, role: roleOption, "see-addresses": addressesOption },
    async run(context, given) {
      const workspaceId = given.text("workspace");
      const userId = await findMemberId(context, workspaceId, given.text("email"));
      const changed = await setMemberRole(context, {
        workspaceId,
        userId,
        role: role(given.text("role")),
        canSeeAddresses: seesAddresses(given),
      });
      return { user_id: userId, role: changed.role, sees_addresses: changed.canSeeAddresses };
    },
  },
  {
    name: "member remove",
    summary: "Remove a member from a workspace",
    options: { workspace: workspaceOption, email: emailOption },
    async run(context, given) {
      const workspaceId = given.text("workspace");
      const userId = await findMemberId(context, workspaceId, given.text("email"));
      await removeMember(context, { workspaceId, userId });
      return { user_id: userId, removed: true };
    },
  },
  {
    name: "member list",
    summary: "List the members of a workspace",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const rows = await listMembers(context, { workspaceId: given.text("workspace") });
      return {
        members: rows.map((row) => ({
          user_id: row.userId,
          email: row.email,
          role: row.role,
          sees_addresses: row.canSeeAddresses,
          since: row.createdAt,
        })),
      };
    },
  },
  {
    name: "audit list",
    summary: "Show who changed what, newest first",
    options: {
      workspace: { value: "ID", description: "Workspace, `ws_…`; without it the events of the whole instance" },
      cursor: { value: "CURSOR", description: "Go on after an earlier page: its `next_cursor`" },
      limit: { value: "N", description: "Entries of a page, 1 to 200; 50 unless given" },
    },
    async run(context, given) {
      const limit = given.optional("limit");
      if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit)) {
        throw new AppError("invalid_request", { message: "--limit is a number from 1 to 200" });
      }
      const page = await listAudit(context, {
        workspaceId: given.optional("workspace"),
        cursor: given.optional("cursor"),
        limit: limit === undefined ? undefined : Number(limit),
      });
      const entries = page.entries.map((entry) => ({
        at: entry.at,
        actor: entry.actorId === "" ? entry.actorKind : `${entry.actorKind} ${entry.actorId}`,
        action: entry.action,
        target: entry.target,
        detail: entry.detail,
      }));
      return { entries, next_cursor: page.nextCursor ?? null };
    },
  },
];
