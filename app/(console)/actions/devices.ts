"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { deleteDevice } from "@/lib/visits/devices";

const remove = defineAction(z.strictObject({ workspaceId: z.string(), deviceId: z.string() }), deleteDevice);

export const deleteDeviceAction = async (input: Parameters<typeof remove>[0]) => remove(input);
