"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import {
  inviteMember,
  removeMember,
  renewInvitation,
  revokeInvitation,
  ROLES,
  setMemberRole,
} from "@/lib/tenancy/workspaces";

const workspaceId = z.string();
const ofMember = z.strictObject({ workspaceId, userId: z.string() });
const ofInvitation = z.strictObject({ workspaceId, invitationId: z.string() });
const access = { role: z.enum(ROLES), canSeeAddresses: z.boolean() };

const invite = defineAction(z.strictObject({ workspaceId, email: z.string(), ...access }), async (context, input) => {
  const { email, url, isMailed } = await inviteMember(context, input);
  return { email, url, isMailed };
});
const renew = defineAction(ofInvitation, async (context, input) => {
  const { email, url, isMailed } = await renewInvitation(context, input);
  return { email, url, isMailed };
});
const revoke = defineAction(ofInvitation, revokeInvitation);
const set = defineAction(ofMember.extend(access), setMemberRole);
const remove = defineAction(ofMember, removeMember);

export const inviteMemberAction = async (input: Parameters<typeof invite>[0]) => invite(input);
export const renewInvitationAction = async (input: Parameters<typeof renew>[0]) => renew(input);
export const revokeInvitationAction = async (input: Parameters<typeof revoke>[0]) => revoke(input);
export const setMemberRoleAction = async (input: Parameters<typeof set>[0]) => set(input);
export const removeMemberAction = async (input: Parameters<typeof remove>[0]) => remove(input);
