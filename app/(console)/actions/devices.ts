"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { deleteDevice } from "@/lib/visits/devices";

export const deleteDeviceAction = defineAction(
  z.strictObject({ workspaceId: z.string(), deviceId: z.string() }),
  deleteDevice,
);
