"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { addMember, removeMember, ROLES, setMemberRole } from "@/lib/workspaces";

const ofMember = z.strictObject({ workspaceId: z.string(), userId: z.string() });
const access = { role: z.enum(ROLES), canSeeAddresses: z.boolean() };

const add = defineAction(z.strictObject({ workspaceId: z.string(), email: z.string(), ...access }), addMember);
const set = defineAction(ofMember.extend(access), setMemberRole);
const remove = defineAction(ofMember, removeMember);

export const addMemberAction = async (input: Parameters<typeof add>[0]) => add(input);
export const setMemberRoleAction = async (input: Parameters<typeof set>[0]) => set(input);
export const removeMemberAction = async (input: Parameters<typeof remove>[0]) => remove(input);
