import { AppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import {
  addMember,
  findMemberId,
  inviteMember,
  listInvitations,
  listMembers,
  removeMember,
  renewInvitation,
  requireEmail,
  revokeInvitation,
  ROLES,
  setMemberRole,
} from "@/lib/tenancy/workspaces";
import { type Command, type ParsedOptions, workspaceOption } from "../command";

const emailOption = { value: "ADDRESS", description: "E-mail address of the person", isRequired: true } as const;
const roleOption = { value: "ROLE", description: "Role in the workspace", choices: ROLES, isRequired: true } as const;
const addressesOption = {
  value: "yes|no",
  description: "Whether the member sees addresses and places",
  choices: ["yes", "no"],
} as const;

const seesAddresses = (given: ParsedOptions) =>
  given.has("see-addresses") ? given.text("see-addresses") === "yes" : undefined;

async function requireMemberId(context: Context, workspaceId: string, address: string): Promise<string> {
  const email = requireEmail(address);
  const userId = await findMemberId(context, { workspaceId, email });
  if (userId === undefined) throw new AppError("not_found", { message: `${email} is not a member of this workspace` });
  return userId;
}

const invitationOption = { value: "ID", description: "Invitation, `inv_…`", isRequired: true } as const;

export const memberCommands: readonly Command[] = [
  {
    name: "member add",
    summary: "Make a person a member of a workspace",
    options: { workspace: workspaceOption, email: emailOption, role: roleOption, "see-addresses": addressesOption },
    async run(context, given) {
      const member = await addMember(context, {
        workspaceId: given.text("workspace"),
        email: given.text("email"),
        role: given.choice("role", ROLES),
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
      const userId = await requireMemberId(context, workspaceId, given.text("email"));
      const changed = await setMemberRole(context, {
        workspaceId,
        userId,
        role: given.choice("role", ROLES),
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
      const userId = await requireMemberId(context, workspaceId, given.text("email"));
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
    name: "invitation create",
    summary: "Invite a person: prints a link that works once, within seven days",
    options: { workspace: workspaceOption, email: emailOption, role: roleOption, "see-addresses": addressesOption },
    async run(context, given) {
      const invited = await inviteMember(context, {
        workspaceId: given.text("workspace"),
        email: given.text("email"),
        role: given.choice("role", ROLES),
        canSeeAddresses: seesAddresses(given),
      });
      return {
        invitation_id: invited.invitationId,
        email: invited.email,
        url: invited.url,
        expires_at: invited.expiresAt,
        mailed: invited.isMailed,
      };
    },
  },
  {
    name: "invitation renew",
    summary: "Replace the link of an invitation",
    options: { workspace: workspaceOption, invitation: invitationOption },
    async run(context, given) {
      const renewed = await renewInvitation(context, {
        workspaceId: given.text("workspace"),
        invitationId: given.text("invitation"),
      });
      return {
        invitation_id: renewed.invitationId,
        url: renewed.url,
        expires_at: renewed.expiresAt,
        mailed: renewed.isMailed,
      };
    },
  },
  {
    name: "invitation revoke",
    summary: "Revoke an invitation",
    options: { workspace: workspaceOption, invitation: invitationOption },
    async run(context, given) {
      const revoked = await revokeInvitation(context, {
        workspaceId: given.text("workspace"),
        invitationId: given.text("invitation"),
      });
      return { invitation_id: revoked.invitationId, revoked: true };
    },
  },
  {
    name: "invitation list",
    summary: "List invitations that have not been accepted",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const rows = await listInvitations(context, { workspaceId: given.text("workspace") });
      return {
        invitations: rows.map((row) => ({
          invitation_id: row.invitationId,
          email: row.email,
          role: row.role,
          expires_at: row.expiresAt,
          expired: row.isExpired,
        })),
      };
    },
  },
];
