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

export const inviteMemberAction = defineAction(
  z.strictObject({ workspaceId, email: z.string(), ...access }),
  async (context, input) => {
    const { email, url, isMailed } = await inviteMember(context, input);
    return { email, url, isMailed };
  },
);
export const renewInvitationAction = defineAction(ofInvitation, async (context, input) => {
  const { email, url, isMailed } = await renewInvitation(context, input);
  return { email, url, isMailed };
});
export const revokeInvitationAction = defineAction(ofInvitation, revokeInvitation);
export const setMemberRoleAction = defineAction(ofMember.extend(access), setMemberRole);
export const removeMemberAction = defineAction(ofMember, removeMember);
